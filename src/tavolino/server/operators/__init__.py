"""What operators do with the data of a server, beside it or without it: backups, checks, orders."""
