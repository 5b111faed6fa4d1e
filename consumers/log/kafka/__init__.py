"""The record log on Apache Kafka.

| file | what |
|---|---|
| `log.py`, `consumer.py`, `reader.py` | the log, a member of a group, and a reader without a group |
| `topics.py`, `topic_names.py`, `topic_ids.py` | topics: settings, names, and whether one was created again |
| `clients.py`, `client_types.py` | the only file that imports kafka-python, and the types it lacks |
| `connection.py`, `security.py`, `rights.py` | connection options, SASL and TLS, missing rights |
| `hints.py` | what to do about an error that does not say so |
| `assignors.py`, `joining.py` | who gets which partitions, and how a member waits for its own |
| `fencing.py` | how a member stops its predecessor |
| `polling.py`, `pausing.py`, `slow_link.py` | how much is fetched and polled at once, and of which partitions |
| `corruption.py`, `emptied_batches.py` | batches that cannot be polled, or that compaction has emptied |
| `selector.py` | how a client waits for its sockets |
| `net_client.py`, `lost_connections.py`, `watchdog.py` | brokers and calls that do not answer |
"""
