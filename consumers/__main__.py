"""`python -m consumers` is `stream-nb`."""

from consumers.cli import main

main()
