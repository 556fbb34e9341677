"""Use cases, one per file: each is a function of the desk, the caller and the request. Beside them what they share: the
games in memory, the way of a move, who follows what.
"""
