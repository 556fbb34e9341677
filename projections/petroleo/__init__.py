"""Petróleo: the board (`state`), its fold (`evolve`), what each viewer may see of it (`view`), told (`story`)."""
