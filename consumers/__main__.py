"""`python -m consumers` (installed: `python -m stream_nb_consumers`) is `stream-nb`."""

from .cli.main import main

main()
