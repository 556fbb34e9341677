"""Where things are kept: the log, what is known about games and accounts, and snapshots that may vanish."""
