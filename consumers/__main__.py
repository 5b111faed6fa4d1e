"""`python -m consumers` is `stream-nb`."""

from .cli.main import main

main()
