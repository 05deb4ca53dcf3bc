"""All tables of a server: open, load, list, clean up."""
