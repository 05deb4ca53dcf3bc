"""The games of a server: compiling, bots, lessons, replays, checks of records."""
