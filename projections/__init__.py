"""TRUTH: what is true now, as folds of events.

Pure: no I/O, no clock, no randomness but the draw function of the log format (`projections.chance`).
"""
