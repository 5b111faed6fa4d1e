"""The commands, one per file; their implementation is imported when they run."""
