"""HTTP routes, middleware and the built page."""
