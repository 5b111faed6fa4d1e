"""A trained model as a generative model: sample messages from it (sampler.py), or draw it as a graph (bayes_net.py)."""
