"""Studies: each shows one result of the theory on labelled mails, as a section of a self-contained HTML report.

The rows are those of docs/notes-worked.md, which shows the output of each.

| file | row | what |
|---|---|---|
| `learning.py` | Q6 | training and test accuracy against the number of training mails |
| `smoothing.py` | Q7 | accuracy against lambda, from one pass over the mails |
| `convergence.py` | Q8 | estimates of a coin and of a Gaussian against the number of draws |
| `gaussian.py` | Q9, M7 | a Gaussian over the histogram of each number; Gaussian against binned accuracy |
| `boundary.py` | L3 | quadratic and linear Gaussian boundary over two numbers |
| `risk.py` | Q10 | regret against the least possible error of a known truth |
| `dependence.py` | Q11 | how far words are from independence within a class |
| `events.py` | M1, M2, M3, Q2 | multinomial, boolean and Bernoulli on one ROC picture |
| `prior.py` | E4 | the effect of the class prior |
| `novelty.py` | M11, M12 | perplexity, p(x), and the strangest mails |
| `entropy.py` | L5 | how spread out the words of a class are |
| `likelihood.py` | E7 | the data log-likelihood and its parts over time, for every model |
| `logistic.py` | L6 | naive Bayes and logistic regression on the same features and stream |
| `picture.py` | M10 | the trained model as a Bayes net |
| `sample.py` | M9 | mails drawn from a model, as a folder for `feed` |
| `personal.py` | P2 | a filter trained, validated and tested on one person's mail |
| `export.py` | L1, L5 | the weights and the most probable words of a model as CSV |

`corpus.py` reads the mails (a path, the log, or generated ones), `parts.py` sizes the parts for training, validation
and test, `numbers.py` measures numbers, `titles.py` names mails, `models.py` creates the word models by name,
`charts.py` and `axes.py` draw, `report.py` writes the page. To run a study: `stream-nb study NAME [PATH]`, `stream-nb
personal PATH`, `stream-nb export FILE`.
"""
