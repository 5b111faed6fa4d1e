"""Numbers and categories of a message -> their counts, log-likelihoods and weights.

exact_moments.py     sums of numbers and of their squares, without rounding
feature_counts.py    numbers and categories of a message -> their counts
feature_terms.py     these counts -> log-likelihoods
feature_parts.py     words, numbers and categories as parts of one score, and what a label adds
part_pool.py         what each part predicted for past labels -> its weight
number_weights.py    what each number predicted for past labels -> its weight among the numbers
number_layout.py     the arrays of numbers, each field named
"""
