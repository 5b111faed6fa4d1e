"""What every process needs, whatever its stage: start, restart, stop, health, private files.

| file | what |
|---|---|
| `supervisor.py`, `child.py` | restarts processes that end with an error; one such process |
| `fork_server.py`, `fork_server_start.py` | Ctrl-C while the server from which processes are forked starts |
| `process_slot.py` | the stable name of a process on its machine |
| `shutdown.py`, `parent_watch.py` | when to stop; helper processes that end with their parent |
| `health.py`, `log_lines.py` | probes and metrics over HTTP; log lines, each kind at most once a minute |
| `compiling.py`, `collection.py` | shows compilation; when garbage is collected |
| `private_files.py`, `paths.py` | files only their owner may read; what is at a path |
| `addresses.py` | whether an address is this machine; whether it is IPv4 or IPv6 |
| `listening_socket.py` | the socket on which a server listens |
| `pause.py` | waiting where the clock cannot be trusted |
"""
