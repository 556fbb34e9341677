"""How fast is it? Benchmarks, and `results.md` with the commit, the command and the machine of each number."""
