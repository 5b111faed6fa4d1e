"""The study that draws a Bayes net."""

from consumers.ingest.formats import open_source
from consumers.ingest.formats.table import Columns
from consumers.studies import picture
from consumers.studies.corpus import load


def test_M10_the_mail_model_and_the_mixed_model_are_drawn(mails):
    filter_, mixed = picture.study(mails[:100]).charts
    assert "message, N = 100" in filter_ and "message, N = 100" in mixed
    assert "MailNB" in filter_
    assert "MixedNB" in mixed
    assert mixed.count("node seen") == 3


def test_M10_the_picture_for_a_table_shows_its_features(tmp_path):
    """It used to show those of its text, which a table need not have."""
    path = tmp_path / "t.csv"
    path.write_text("hue,size,class\nred,1,a\nblue,2,b\nred,3,a\n")
    _, mixed = picture.study(load(open_source(path, columns=Columns("class")), "a table").mails).charts
    assert "hue" in mixed and "size" in mixed
    assert "exclaims" not in mixed and "log bytes" not in mixed
