"""The studies of the lecture notes, redrawn on your own mail: each gives a section of a self-contained HTML report.

| file | row | what |
|---|---|---|
| `learning.py` | Q6 | training and test accuracy against the number of training mails |
| `smoothing.py` | Q7 | accuracy against lambda, one pass, the same counts |
| `convergence.py` | Q8 | estimates of a coin and of a Gaussian against the number of draws |
| `gaussian.py` | Q9, M7 | a Gaussian over the histogram of each number of a mail; Gaussian against binned accuracy |
| `risk.py` | Q10 | regret against the least possible error, the truth being known |
| `dependence.py` | Q11 | how far words are from independent within a class |
| `logistic.py` | L6 | naive Bayes and logistic regression on the same features and stream |
| `picture.py` | M10 | the trained model as a Bayes net |
| `sample.py` | M9 | mails drawn from a model, as a folder for `feed` |
| `personal.py` | P2 | a filter trained, validated and tested on your own mail |

`corpus.py` reads the mails, `numbers.py` measures them, `charts.py` draws, `report.py` writes the page. To run one:
`stream-nb study NAME PATH`, `stream-nb personal PATH`.
"""
