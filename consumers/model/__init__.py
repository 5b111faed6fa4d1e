"""The model on the log: what workers learn, and the copies of it.

| file | what |
|---|---|
| `stream_model.py` | the interface of every model that `[learner] model` can name; `factory.py` creates them |
| `textbook.py`, `textbook_input.py`, `textbook_changes.py` | the textbook models behind this interface |
| `changelog.py`, `changelog_reader.py` | the records on the `model` topic, written and read |
| `secret.py` | the record that begins a log's model, and names its kind |
| `sums.py` | sums of these records |
| `replica.py`, `replica_state.py` | a copy of the model that follows the topic |
| `ledger.py`, `packed.py` | a partition's mails, their labels, and what was learned from each |
| `mail_cache.py` | mails that may be needed again |
| `decay.py`, `forgetting.py` | what old labels and rare features lose |
| `silence.py` | what a lack of complaints says about a mail |
| `policy.py`, `policy_editor.py` | the policy in force; how it is changed |
| `words.py` | the words that it knows |
| `files.py` | models in files |
| `spark.py` | training on an archive of millions of mails |
"""
