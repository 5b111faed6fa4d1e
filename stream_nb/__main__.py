"""`python -m stream_nb`: prints the version and where to find the commands."""

from stream_nb import __version__

print(f"stream_nb {__version__}: a library. Its commands are under `stream-nb`; `stream-nb --help` lists them.")
