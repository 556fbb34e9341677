"""WORDS: everything that is ever written to a log.

Pure: no I/O, no clock, no randomness. Nothing here knows a rule; `projections` folds these words, `rules` decides them.
"""
