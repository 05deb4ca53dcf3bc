"""What every game shares: the record, chance, events, matches, records, texts and the conformance suite. No I/O."""
