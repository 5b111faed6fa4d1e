"""Whether a text has letters one by one, as in `f r e e` or `v.i.a.g.r.a` (compiled)."""

# pyright: basic

from stream_nb.kernels.jit import inlined, kernel


@inlined
def _is_letter(byte):
    return ((byte | 0x20) >= 0x61) & ((byte | 0x20) <= 0x7A)


@kernel
def has_spaced_letters(text):
    """Whether four ASCII letters have one and the same other byte between each two.

    It is asked of every text, so it looks at all of it, without a branch: that takes a third of the time.
    """
    found = False
    for i in range(len(text) - 6):
        between = text[i + 3]
        found |= (
            (text[i + 1] == between)
            & (text[i + 5] == between)
            & (not _is_letter(between))
            & _is_letter(text[i])
            & _is_letter(text[i + 2])
            & _is_letter(text[i + 4])
            & _is_letter(text[i + 6])
        )
    return found
