import pytest

from consumers.runtime.paths import exists, is_file, is_folder


def test_files_folders_and_links_to_them_are_told_apart(tmp_path):
    file, folder, link = tmp_path / "file", tmp_path / "folder", tmp_path / "link"
    file.write_bytes(b"")
    folder.mkdir()
    link.symlink_to(folder)

    assert [(exists(path), is_file(path), is_folder(path)) for path in (file, folder, link)] == [
        (True, True, False),
        (True, False, True),
        (True, False, True),
    ]


def test_nothing_is_at_a_missing_path_below_a_file_or_at_a_link_that_leads_nowhere(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "dangling").symlink_to(tmp_path / "missing")

    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    for name in ("missing", "file/below", "dangling", "loop", "nul\0"):
        path = tmp_path / name
        assert (exists(path), is_file(path), is_folder(path)) == (False, False, False)


@pytest.mark.parametrize("question", [exists, is_file, is_folder])
def test_a_path_that_cannot_be_looked_up_raises_the_error(tmp_path, question):
    """On Python 3.14 pathlib answers no, also if access is denied."""
    with pytest.raises(OSError, match="File name too long"):
        question(tmp_path / ("x" * 300))
