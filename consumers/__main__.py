"""`python -m consumers` (installed: `python -m stream_nb_consumers`) is `stream-nb`."""

try:
    import signal
except KeyboardInterrupt:  # the import takes as long as Python's whole start before it
    raise SystemExit(130) from None


def main() -> None:
    """Run the command line; Ctrl-C during its import ends the process without a traceback."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli.main import main as run

    signal.signal(signal.SIGINT, before)
    run()


if __name__ == "__main__":
    main()
