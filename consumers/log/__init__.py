"""The record log and its two implementations: SQLite files (embedded) and Apache Kafka."""
