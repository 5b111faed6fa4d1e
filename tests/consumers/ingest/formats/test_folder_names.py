import pytest

from consumers.ingest.formats.folder_names import means_spam, means_trash, means_written, readable_name


@pytest.mark.parametrize(
    "name",
    """Drafts|Sent Items|Templates|Entwürfe|Gesendete Elemente|Vorlagen|Brouillons|Éléments envoyés|Modèles|Borradores
    Elementos enviados|Bozze|Posta inviata|Rascunhos|Itens enviados|Concepten|Verzonden items|Utkast|Skickat|Kladder
    Sendt post|Luonnokset|Lähetetyt|Wersje robocze|Wysłane|Koncepty|Odeslaná pošta|Odoslané|Osnutki|Poslano|Piszkozatok
    Elküldött elemek|Ciorne|Trimise|Черновики|Отправленные|Чернетки|Надіслані|Πρόχειρα|ΑΠΕΣΤΑΛΜΈΝΑ|Taslaklar
    Gönderilmiş Öğeler|GÖNDERİLMİŞ|下書き|送信済みトレイ|임시보관함|보낸편지함|草稿|已发送|寄件備份
    보낸메일함|Thư đã gửi|Thư nháp|דואר שנשלח|טיוטות|العناصر المرسلة|المسودات|จดหมายที่ส่งแล้ว|Terkirim
    Entw&APw-rfe|INBOX.Envoy&AOk-s|[Gmail]/Messages envoyés|Boîte d\u2019envoi|Sent.2019
    Entwürfe/Alte""".replace("\n", "|").split("|"),
)
def test_folders_of_sent_mail_and_drafts_are_recognised_in_many_languages(name):
    assert means_written(name.strip()) and not means_spam(name.strip()) and not means_trash(name.strip())


@pytest.mark.parametrize("name", ["INBOX", "Consent", "Sent by robots", "Arbeit", "Maler", "Archives/2019", ""])
def test_other_folders_do_not_count_as_the_owner_s_mail(name):
    assert not means_written(name)


@pytest.mark.parametrize("name", ["스팸메일함", "Thư rác", "דואר זבל", "ספאם", "هرزنامه", "स्पैम"])
def test_folders_of_spam_are_recognised_in_languages_of_asia(name):
    assert means_spam(name) and not means_trash(name)


@pytest.mark.parametrize("name", ["Thùng rác", "אשפה", "פריטים שנמחקו", "المهملات", "العناصر المحذوفة", "ถังขยะ"])
def test_folders_of_trash_are_recognised_in_languages_of_asia(name):
    assert means_trash(name) and not means_spam(name)


def test_a_folder_below_the_trash_is_trash():
    """Mail programs delete a folder by moving it below the trash."""
    assert means_trash("Trash/Junk") and means_trash(".Papierkorb.Spam")


def test_turkish_capital_letters_are_recognised():
    assert means_spam("İstenmeyen") and means_spam("GEREKSİZ")


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("Courrier ind&AOk-sirable", "Courrier indésirable"),
        ("&j,dg0TDhMPww6w-", "迷惑メール"),
        ("R&-D", "R&D"),
        ("&2D3eAA-", "😀"),
        ("Q&A", "Q&A"),
        ("Q&As-x", "Q&As-x"),
        ("&2D0-", "&2D0-"),  # half of a surrogate pair
        ("a&ABsAWwBK-", "a&ABsAWwBK-"),  # would move the terminal's cursor
        ("caf\udce9", "caf\udce9"),
    ],
)
def test_encoded_names_are_decoded_if_possible(name, read):
    assert readable_name(name) == read
