"""A person at a table, in a terminal: nothing in here knows a game, only what the API says of it."""
