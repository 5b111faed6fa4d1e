"""What an operator can do about an error of the brokers that does not say so itself."""

from __future__ import annotations

_FENCED = (
    "another process has joined as {member}. If this happens again, two machines have the same name: give each its own "
    "with [worker] machine. On one machine, see that the log has one address (localhost and 127.0.0.1 are two)"
)
_AHEAD = "the clock of this machine is ahead of the broker's, which accepts at most an hour by default: set it"
_HINTS = {
    "FencedInstanceIdError": _FENCED,
    "InvalidProducerEpochError": _FENCED,
    "ProducerFencedError": _FENCED,
    "InvalidTimestampError": _AHEAD,
    "InvalidRecordError('Timestamp": _AHEAD,  # Kafka 4.3 sends a producer of transactions either of the two
    "MessageSizeTooLargeError": "see max.message.bytes of the topics; `stream-nb topics create` says what is too small",
    "KafkaTimeoutError": "no answer in time: see that the brokers are up, and as many replicas in sync as "
    "min.insync.replicas says (kafka-topics --describe --under-min-isr-partitions)",
}
"""By how an error of the library is printed."""


def hint(error: BaseException | None, member: str = "") -> str:
    """What to do about an error, to be appended to its text; empty if there is nothing to add.

    Args:
        error: An error of the library; None for none. A producer that has failed raises others, with the first as an
            argument.
        member: The name of the process in its group; empty for none.

    >>> hint(ValueError())
    ''
    """
    for each in () if error is None else (error, *error.args):
        for start, text in _HINTS.items():
            if repr(each).startswith(start):
                return "; " + text.format(member=member)
    return ""
