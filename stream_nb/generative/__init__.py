"""A trained model read as a source of messages: draw from it (sampler.py), or draw it (bayes_net.py)."""
