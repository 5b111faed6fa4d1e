r"""The plumbing: everything that touches files, sockets, clocks or a broker.

    feed -> emails ----\                          /-> predictions -\
                        > log -> worker -> log --<                   > monitor -> dashboard, /metrics
    people -> labels --/        (stream_nb)       \-> model (deltas)/
       ^______________________ label buttons ______________________________________|

Run a stage with `stream-nb feed | worker | monitor | dashboard`; `stream-nb demo` runs them all.
"""
