"""Several nodes on one database: a history of what clients saw, a checker of it, and a nemesis that breaks things."""
