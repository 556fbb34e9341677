"""What follows the feed across games: read models, and whatever else must hear of each entry exactly once."""
