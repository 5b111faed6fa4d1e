"""The Bayes net of a model trained on the mails: words, categories and numbers.

Source for the notation: Bishop, Pattern Recognition and Machine Learning (2006), section 8.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb import MailNB, MixedNB
from stream_nb.generative.bayes_net import bayes_net_svg

from ..model.textbook_input import TEXT, everything
from .corpus import Labelled
from .numbers import with_features
from .report import Section


def study(mails: Sequence[Labelled]) -> Section:
    """Train the mail model and a mixed model on the mails, and draw both."""
    mail_model, mixed = MailNB(), MixedNB(text=TEXT)
    for mail, full in zip(mails, with_features(mails), strict=True):
        mail_model.learn_one(mail.mail, mail.label)
        mixed.learn_one(everything(full), mail.label)
    return Section(
        "The model as a Bayes net",
        (
            f"Trained on {len(mails):,} mails. Given the class, all features are independent: no arrow joins them. "
            "The mail model has no prior; the mixed model learns it.",
        ),
        charts=(f"<figure>{bayes_net_svg(mail_model)}</figure>", f"<figure>{bayes_net_svg(mixed)}</figure>"),
    )
