"""Can a stranger check it? `gusher audit FILE` checks an exported log with nothing but the log and public keys."""
