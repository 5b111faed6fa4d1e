"""The classes of the library's models, for tests that hold for all of them."""

from stream_nb.registry import MODELS

CLASSES = tuple(dict.fromkeys(entry.model for entry in MODELS.values()))
WORD_CLASSES = tuple(dict.fromkeys(entry.model for entry in MODELS.values() if entry.messages == "text"))
