"""Who asks: accounts, their bearer tokens, and what a token is good for."""
