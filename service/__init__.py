"""How does the game reach the world? HTTP, databases, time and identity live here and nowhere else."""
