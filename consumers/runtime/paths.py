"""What is at a path. Links are followed.

Since Python 3.14 pathlib's `exists`, `is_file` and `is_dir` also answer no if they cannot find out, so that the files
of another user's folder would seem to be missing. These functions raise OSError instead.
"""

from __future__ import annotations

import errno
import stat
from pathlib import Path

_NOTHING = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""The errors of a path that leads nowhere: missing, below a file, or a link to itself."""


def exists(path: Path) -> bool:
    """Whether something is at `path`; raises OSError if that cannot be found out, as when access is denied."""
    return _mode(path) != 0


def is_file(path: Path) -> bool:
    """Whether a regular file is at `path`; raises OSError like `exists`."""
    return stat.S_ISREG(_mode(path))


def is_folder(path: Path) -> bool:
    """Whether a folder is at `path`; raises OSError like `exists`."""
    return stat.S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno in _NOTHING:
            return 0
        raise
    except ValueError:  # a NUL, which no path contains
        return 0
