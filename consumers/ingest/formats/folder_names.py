"""What the name of a folder says: mail programs and servers name the ones for spam and trash in their user's language.

The names are those of Gmail, Outlook, Thunderbird and Roundcube. A name that means both in different languages is left
out of the first list. An IMAP server marks its folders (RFC 6154), which counts there before any name.
"""

from __future__ import annotations

import binascii
import re
import unicodedata

_SPAM = """
    junk, spam, bulk, junk e-mail, junk email, junk mail, bulk mail
    junk-e-mail, spamverdacht, unerwünscht, courrier indésirable, indésirables, pourriel, pourriels
    correo no deseado, no deseado, correu brossa, posta indesiderata, lixo eletrônico, lixo eletrónico, correo lixo
    ongewenste e-mail, ongewenst, skräppost, skräp, uønsket e-mail, uønsket e-post, uønsket mail, søppelpost, roskaposti
    wiadomości-śmieci, niechciane, nevyžádaná pošta, nevyžiadaná pošta, neželena sporočila, levélszemét, kéretlen
    спам, нежелательная почта, небажана пошта, ανεπιθύμητα, ανεπιθύμητη αλληλογραφία
    istenmeyen, gereksiz, önemsiz e-posta, 迷惑メール, スパム, 스팸, 스팸함, 스팸 편지함, 정크 메일, 垃圾邮件, 垃圾郵件
"""
_TRASH = """
    trash, deleted items, deleted messages, deleted, bin
    papierkorb, gelöscht, gelöschte elemente, gelöschte objekte, corbeille, éléments supprimés, messages supprimés
    papelera, elementos eliminados, paperera, cestino, posta eliminata, lixeira, lixo, itens excluídos, itens eliminados
    prullenbak, verwijderde items, papperskorg, papperskorgen, borttaget, papirkurv, slettet, slettede elementer
    slettet post, roskakori, poistetut, kosz, elementy usunięte, koš, odstraněná pošta, kôš, smeti, smeće
    kuka, törölt elemek, gunoi, coșul de gunoi, elemente șterse, корзина, удаленные, удалённые, кошик, видалені, кошче
    κάδος απορριμμάτων, διαγραμμένα, çöp, çöp kutusu, silinmiş öğeler, ゴミ箱, ごみ箱, 削除済みアイテム
    휴지통, 지운 편지함, 已删除邮件, 已删除, 垃圾桶, 已刪除的郵件, 刪除的郵件
"""


def means_spam(folder: str, separators: str = "./") -> bool:
    """Whether mail programs keep spam in a folder of this name: Junk, Spam or Bulk in any case, or what other languages
    have for it, also below another folder.

    Args:
        folder: The folder's name, as it is or as IMAP and Maildir write it (modified UTF-7).
        separators: The characters that part it from those above it.

    >>> [means_spam(name) for name in (".Junk", "INBOX.Spam", "[Gmail]/Spam", "BULK", "Courrier ind&AOk-sirable")]
    [True, True, True, True, True]
    >>> [means_spam(name) for name in ("spam-1", "Junk/2024", "R&D")]
    [False, False, False]
    """
    return _own_name(folder, separators) in _SPAM_NAMES


def means_trash(folder: str, separators: str = "./") -> bool:
    """Whether mail programs keep in a folder of this name what was thrown away.

    Args:
        folder: As for `means_spam`.
        separators: Likewise.

    >>> [means_trash(name) for name in (".Trash", "[Gmail]/Papierkorb", "INBOX.Gel&APY-schte Elemente", "Inbox")]
    [True, True, True, False]
    """
    return _own_name(folder, separators) in _TRASH_NAMES


def _own_name(folder: str, separators: str) -> str:
    """The name without those above it, so that one name has one form."""
    for separator in separators:
        folder = folder.rpartition(separator)[2]
    name = re.sub("&([A-Za-z0-9+,]+)-", _decoded, folder)
    return unicodedata.normalize("NFC", name.strip().casefold())


def _decoded(found: re.Match[str]) -> str:
    try:
        return binascii.a2b_base64(found[1].replace(",", "/") + "===").decode("utf-16-be")
    except ValueError:  # a name that has such characters of its own
        return found[0]


def _names(text: str) -> frozenset[str]:
    return frozenset(_own_name(name, "") for name in re.split("[,\n]", text)) - {""}


_SPAM_NAMES = _names(_SPAM)
_TRASH_NAMES = _names(_TRASH)
