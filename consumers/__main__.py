"""`python -m consumers` (installed: `python -m stream_nb_consumers`) is `stream-nb`."""

try:
    import signal
except KeyboardInterrupt:  # it imports others, which takes as long as all that Python does before
    raise SystemExit(130) from None


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported ends the process without a word."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli.main import main as run

    signal.signal(signal.SIGINT, before)
    run()


if __name__ == "__main__":
    main()
