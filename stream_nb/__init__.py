"""A streaming naive Bayes mail classifier: raw counts as state, smoothing when reading."""
