"""Column lists that both databases use, in the order of the stored tuples."""

RESULT = "circle, table_id, person, game, ended, won"  # StoredResult
RATING = "person, game, number, table_id, ended, mu, sigma, limited"  # StoredRating
RATING_OF_R = ", ".join(f"r.{name}" for name in RATING.split(", "))
RATED_STEP = "r.person, r.table_id, before.mu, r.mu, r.limited"  # RatedStep
RATED_STEPS = f"""
    SELECT {RATED_STEP} FROM ratings AS r LEFT JOIN ratings AS before
    ON before.person = r.person AND before.game = r.game AND before.number = r.number - 1"""
