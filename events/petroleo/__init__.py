"""Petróleo: `codes`, then what is asked (`commands`), done or waited for (`steps`), and what has happened (`facts`)."""
