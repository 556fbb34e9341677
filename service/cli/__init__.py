"""The command line: one module per subcommand, each with `add_to(subparsers)`."""
