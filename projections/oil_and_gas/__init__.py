"""Oil and Gas: the board (`state`), its fold (`evolve`), what each viewer may see (`view`), and hear (`story`)."""
