"""Columns of tables that both databases have, in the order of the tuples that are stored in them."""

RESULT = "circle, table_id, person, game, ended, won"  # StoredResult
RATING = "person, game, number, table_id, ended, mu, sigma"  # StoredRating
RATING_OF_R = ", ".join(f"r.{name}" for name in RATING.split(", "))
