"""RULINGS: state + command -> events, or a refusal that names the rule.

Pure: no I/O, no clock, no randomness but the table's draws. One folder per game, one module per chapter of its
rulebook; what stands beside the folders is written once for all games.
"""
