"""`python -m stream_nb`: the version, and where the commands are."""

from stream_nb import __version__

print(f"stream_nb {__version__}: the library. The commands are `stream-nb`; `stream-nb --help` lists them.")
