"""Code that all games share: states, random numbers, events, matches, records, texts, the conformance suite. No I/O."""
