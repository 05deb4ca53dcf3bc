"""Identities and what people may write."""
