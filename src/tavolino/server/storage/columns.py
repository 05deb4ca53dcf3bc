"""Column lists that both databases use, in the order of the stored tuples."""

RESULT = "circle, table_id, person, game, ended, won"  # StoredResult
RATING = "person, game, number, table_id, ended, mu, sigma"  # StoredRating
RATING_OF_R = ", ".join(f"r.{name}" for name in RATING.split(", "))
