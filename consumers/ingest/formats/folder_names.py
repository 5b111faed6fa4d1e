"""The names of folders for spam, trash and the owner's mail, which programs and servers write in the user's language.

The names come from Gmail, Outlook, Thunderbird, Roundcube, Claws Mail and Naver. A name that means spam in one
language and trash in another is only in the list for trash; a name for the owner's mail that is an ordinary word in
another language (Maler) is not listed. On IMAP, a folder's mark (RFC 6154) has precedence over its name.
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
    istenmeyen, gereksiz, önemsiz e-posta, 迷惑メール, スパム, 스팸, 스팸함, 스팸 편지함, 스팸메일함, 정크 메일
    垃圾邮件, 垃圾郵件, thư rác, דואר זבל, ספאם, هرزنامه, स्पैम
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
    thùng rác, אשפה, פריטים שנמחקו, المهملات, العناصر المحذوفة, ถังขยะ
"""
_DRAFTS = """
    drafts, draft, entwürfe, entwurf, brouillons, brouillon, borradores, borrador, esborranys, bozze, rascunhos
    rascunho, concepten, utkast, kladder, kladde, kladd, udkast, luonnokset, kopie robocze, wersje robocze, szkice
    koncepty, rozepsané, rozpísané, osnutki, skice, nacrti, piszkozatok, vázlatok, ciorne, schițe
    черновики, чернетки, чернови, πρόχειρα, taslaklar, 下書き, 임시보관함, 임시 보관함
    임시 편지함, 草稿, 草稿箱, 草稿匣, thư nháp, טיוטות, المسودات, ร่างจดหมาย
"""
_SENT = """
    sent, sent items, sent messages, sent mail, sent-mail, outbox, unsent messages, queue
    gesendet, gesendete elemente, gesendete objekte, gesendete nachrichten, postausgang
    envoyés, éléments envoyés, messages envoyés, courrier envoyé, boîte d'envoi, messages en attente
    enviados, elementos enviados, correo enviado, mensajes enviados, bandeja de salida, enviats, elements enviats
    posta inviata, inviata, messaggi inviati, elementi inviati, posta in uscita
    e-mails enviados, itens enviados, mensagens enviadas, enviadas, enviado, correio enviado, caixa de saída
    verzonden, verzonden berichten, verzonden items, verzonden e-mail, postvak uit
    skickat, skickade, skickade mejl, skickade meddelanden, skickade objekt, utkorgen
    sendt, sendt post, sendte mails, sendte elementer, sendt e-post, udbakke, utboks
    lähetetyt, lähetetyt viestit, lähtevät, wysłane, elementy wysłane, wysłane wiadomości, skrzynka nadawcza
    odeslaná pošta, odeslané, odeslané položky, odeslané zprávy, odoslané, odoslaná pošta, odoslané správy
    poslano, poslana pošta, poslana sporočila, poslane poruke, elküldött, elküldött elemek, elküldött üzenetek
    elküldött levelek, trimise, mesaje trimise, elemente trimise
    отправленные, исходящие, надіслані, надіслане, відправлені, вихідні, изпратени, απεσταλμένα, σταλμένα
    gönderilmiş öğeler, gönderilmiş postalar, gönderilmiş, gönderilenler, giden kutusu
    送信済みメール, 送信済み, 送信済みトレイ, 送信済みアイテム, 送信トレイ, 보낸편지함, 보낸 편지함
    보낸메일함, 보낸 메일함, 보낼 편지함, 已发送, 已发送邮件, 已发邮件, 已发送消息, 发件箱, 寄件備份
    寄件備份匣, 已寄郵件, 寄件匣, thư đã gửi, דואר שנשלח, פריטים שנשלחו, العناصر المرسلة, จดหมายที่ส่งแล้ว, terkirim
"""
_TEMPLATES = """
    templates, vorlagen, modèles, plantillas, plantilles, modelli, modelos, sjablonen, mallar, skabeloner, viestipohjat
    szablony, šablony, šablóny, predloge, predlošci, sablonok, șabloane, шаблоны, шаблони, πρότυπα, şablonlar
    テンプレート, ひな形, 템플릿, 模板, 範本
"""


def means_spam(folder: str, separators: str = "./") -> bool:
    """Whether mail programs keep spam in a folder of this name: Junk, Spam or Bulk in any case, or a translation.

    Args:
        folder: The folder's name, with or without its path, plain or in modified UTF-7 (IMAP and Maildir).
        separators: The characters that separate the folders of a path.

    >>> [means_spam(name) for name in (".Junk", "INBOX.Spam", "[Gmail]/Spam", "BULK", "Courrier ind&AOk-sirable")]
    [True, True, True, True, True]
    >>> [means_spam(name) for name in ("spam-1", "Junk/2024", "R&D")]
    [False, False, False]
    """
    return _own_name(folder, separators) in _SPAM_NAMES


def in_spam(folder: str) -> bool:
    """Whether a folder's name means spam, or that of a folder above it: `folder` is as for `means_spam`, with ``.`` and
    ``/`` as separators.

    >>> [in_spam(name) for name in ("Junk", "Junk/2024", ".Spam.old", "spam-1")]
    [True, True, True, False]
    """
    return not _SPAM_NAMES.isdisjoint(_path(folder, "./"))


def means_trash(folder: str, separators: str = "./") -> bool:
    """Whether mail programs keep deleted mail in a folder of this name, or in one above it; `folder` and `separators`
    are as for `means_spam`.

    >>> [means_trash(name) for name in (".Trash", "[Gmail]/Papierkorb", "INBOX.Gel&APY-schte Elemente", "Inbox")]
    [True, True, True, False]
    """
    return not _TRASH_NAMES.isdisjoint(_path(folder, separators))


def means_written(folder: str, separators: str = "./") -> bool:
    """Whether mail programs keep drafts, sent mails or templates in a folder of this name, or in one above it; `folder`
    and `separators` are as for `means_spam`.

    >>> [means_written(name) for name in (".Sent", "Sent/2019", "Entw&APw-rfe", "[Gmail]/Brouillons", "Inbox")]
    [True, True, True, True, False]
    """
    return not _WRITTEN_NAMES.isdisjoint(_path(folder, separators))


def readable_name(folder: str) -> str:
    """Decode the name of `folder` from modified UTF-7 (IMAP and Maildir); return it unchanged if it is not that, or not
    printable when decoded.

    >>> [readable_name(name) for name in ("Courrier ind&AOk-sirable", "R&-D", "R&D", "&AAo-")]
    ['Courrier indésirable', 'R&D', 'R&D', '&AAo-']
    """
    name = re.sub("&([A-Za-z0-9+,]*)-", _decoded, folder)
    return name if name.isprintable() else folder


def _path(folder: str, separators: str) -> set[str]:
    """The normalized names of the folder and of those above it."""
    for separator in separators:
        folder = folder.replace(separator, "\n")
    return {_plain(name) for name in folder.split("\n")}


def _own_name(folder: str, separators: str) -> str:
    """The normalized name of the folder, without its path."""
    for separator in separators:
        folder = folder.rpartition(separator)[2]
    return _plain(folder)


def _plain(name: str) -> str:
    """The normalized form of a single name, without a path."""
    folded = readable_name(name).strip().casefold().replace("\u2019", "'")
    return unicodedata.normalize("NFC", folded.replace("i\u0307", "i"))  # the Turkish İ


def _decoded(found: re.Match[str]) -> str:
    if not found[1]:
        return "&"
    try:
        return binascii.a2b_base64(found[1].replace(",", "/") + "===").decode("utf-16-be")
    except ValueError:  # not UTF-7: the name itself contains these characters
        return found[0]


def _names(*texts: str) -> frozenset[str]:
    return frozenset(_plain(name) for text in texts for name in re.split("[,\n]", text)) - {""}


_SPAM_NAMES = _names(_SPAM)
_TRASH_NAMES = _names(_TRASH)
_WRITTEN_NAMES = _names(_DRAFTS, _SENT, _TEMPLATES)
