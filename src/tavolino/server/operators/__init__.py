"""Commands of operators on the data of a server, running or stopped: backups, checks, orders."""
