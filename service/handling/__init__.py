"""Use cases, one per file: each is a function of the desk, the caller and the request. HTTP knows only these."""
