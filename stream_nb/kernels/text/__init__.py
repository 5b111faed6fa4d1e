"""The textbook models of words.

common.py            learning a message, and the result from log-likelihoods
multinomial.py, bernoulli.py   words -> their rows -> log-likelihoods -> the result, in one call
"""
