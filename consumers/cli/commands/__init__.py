"""The commands, one a file; what they do is imported when they run."""
