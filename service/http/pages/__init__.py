"""Pages for people, made here: no scripts, nothing fetched from anywhere else."""
