"""Oil and Gas: `codes`, then what is asked (`commands`), done or waited for (`steps`), what has happened (`facts`)."""
