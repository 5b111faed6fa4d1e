"""One SQLite file with the tables of a log; the only file that imports sqlite3.

Errors of SQLite become LogDamaged or LogUnavailable, whose messages name the file and what to do.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from ...errors import LogDamaged, LogUnavailable, UnknownFormat
from ...runtime.pause import pause
from ...runtime.private_files import make_file

FORMAT = 2
"""Increase it with each change of the tables below."""

SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS topics (name TEXT PRIMARY KEY, compacted INTEGER NOT NULL, next_offset INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS records (
    topic TEXT, offset INTEGER, key BLOB, value BLOB, timestamp_ms INTEGER NOT NULL, PRIMARY KEY (topic, offset)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS newest (topic TEXT, key BLOB, offset INTEGER NOT NULL, PRIMARY KEY (topic, key))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS positions (
    consumer TEXT, topic TEXT, next_offset INTEGER NOT NULL, PRIMARY KEY (consumer, topic)
) WITHOUT ROWID;
PRAGMA user_version = {FORMAT};
COMMIT;
"""

BUSY_S = 30.0
"""How long a statement waits for other processes."""
LOOK_AGAIN_S = 0.005

FOREIGN = "give the folder to the user that runs this (chown -R)"
READ_ONLY = "its file system is read-only here: mount it for writing (in a service: ReadWritePaths=)"

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

Row = tuple[Any, ...]


def advice(error: OSError) -> str:
    """What to do about a file or folder of a log that could not be opened or created because of `error`.

    >>> advice(PermissionError())
    'give the folder to the user that runs this (chown -R), or name a folder that can be written'
    """
    other = "name a folder that can be written"
    return f"{FOREIGN}, or {other}" if isinstance(error, PermissionError) else other


class SqliteFile:
    """The open file of a log at `path`, in an existing folder; created when missing.

    SQLite writes even to read, because it shares locks with other processes. A file that may not be written, and that
    nobody else writes to, such as a mounted backup, is read without locks.

    All methods raise LogDamaged for a damaged file and LogUnavailable for one that cannot be read or written. Opening
    raises UnknownFormat when another version wrote the file. `sql` is the text of a statement, `arguments` are the
    values for its question marks, in order.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._translating_errors("make room, or name a folder that can be written"):
            self._fixed = _only_readable(path) and not _has_wal(path)
            if not self._fixed:
                make_file(path)  # SQLite copies this file's mode to its WAL and shared-memory files
            address = f"{path.absolute().as_uri()}{'?immutable=1' if self._fixed else ''}"
            self._file = sqlite3.connect(address, timeout=0, isolation_level=None, uri=True)
            try:
                self._opened = path.stat()
                self._prepare()
            except BaseException:
                self._file.close()
                raise

    def rows(self, sql: str, arguments: Sequence[object] = ()) -> list[Row]:
        """All rows of the query `sql` with `arguments`."""
        with self._translating_errors():
            self._check_place()
            return self._once_free(self._file.execute, sql, arguments).fetchall()

    def each(self, sql: str, arguments: Sequence[object] = ()) -> Iterator[Row]:
        """Yield the rows of the query `sql` with `arguments`, read one by one."""
        with self._translating_errors():
            self._check_place()
            # `yield from` would close the cursor itself, which fails once the file is closed.
            yield from chain(self._once_free(self._file.execute, sql, arguments))

    def row(self, sql: str, arguments: Sequence[object] = ()) -> Row | None:
        """The first row of the query `sql` with `arguments`; None when there is none."""
        with self._translating_errors():
            if not self._file.in_transaction:  # whose start has checked it
                self._check_place()
            return self._once_free(self._file.execute, sql, arguments).fetchone()

    def version(self) -> int:
        """A number that differs from the last one if another process, or another connection, has committed since."""
        with self._translating_errors():
            self._check_place()
            return self._once_free(self._file.execute, "PRAGMA data_version").fetchone()[0]

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Commit all statements in the block, or none if it raises."""
        with self._translating_errors(), self._file:
            self._check_place()
            self._once_free(self._file.execute, "BEGIN IMMEDIATE")
            yield

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Until the end of the block, read the content as it is now; writers are not blocked."""
        with self._translating_errors():
            self._check_place()
            self._file.execute("BEGIN")
            try:
                self._once_free(self._file.execute, "SELECT 1 FROM topics").fetchone()  # the first read begins it
                yield
            finally:
                self._file.execute("ROLLBACK")

    def execute(self, sql: str, arguments: Sequence[object] = ()) -> int:
        """Run `sql` with `arguments` within `transaction`; returns the number of rows changed."""
        return self._file.execute(sql, arguments).rowcount

    def execute_many(self, sql: str, arguments: Iterable[Sequence[object]]) -> None:
        """Run `sql` within `transaction`, once for each of `arguments`."""
        self._file.executemany(sql, arguments)

    def copy(self, path: Path) -> None:
        """Copy the committed content to a new file at `path`, in an existing folder, and check the copy; writers are
        not blocked."""
        with self._translating_errors():
            try:
                make_file(path)
                with closing(sqlite3.connect(path)) as target:
                    self._file.backup(target)
                    (found,) = target.execute("PRAGMA quick_check(1)").fetchone()
            except (OSError, sqlite3.Error) as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
                    raise
                raise LogUnavailable(
                    f"{path}: {_why(error)}; this copy is incomplete: remove {path.parent}, and make room or name "
                    "another folder"
                ) from error
            if found != "ok":
                raise self._damaged(found)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _prepare(self) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=4000", f"mmap_size={1 << 30}"):
            self._once_free(self._file.execute, f"PRAGMA {pragma}")
        (tables,) = self._once_free(self._file.execute, "SELECT count(*) FROM sqlite_master").fetchone()
        (found,) = self._once_free(self._file.execute, "PRAGMA user_version").fetchone()
        if not tables:
            self._once_free(self._file.executescript, SCHEMA)
        elif found != FORMAT:
            raise UnknownFormat(f"{self._path}: format {found}, this program reads {FORMAT}; use a fresh folder")

    def _once_free(self, call: Callable[..., sqlite3.Cursor], *arguments: object) -> sqlite3.Cursor:
        """Call a method of the connection, again and again while another process has locked the file.

        SQLite's own wait (`timeout`) holds up signals, and does not include the switch to WAL.
        """
        deadline = time.monotonic() + BUSY_S
        while True:
            try:
                return call(*arguments)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            pause(LOOK_AGAIN_S)

    def _check_place(self) -> None:
        """Raise LogUnavailable when the file is no longer at its path: what is written to it would be lost. Raise it,
        too, when a process writes to a file that is read without locks."""
        try:
            moved = not os.path.samestat(os.stat(self._path), self._opened)
        except FileNotFoundError:
            moved = True
        if moved:
            raise LogUnavailable(
                f"sqlite:{self._path.parent}: {self._path.name} was moved, deleted or replaced while it was open; put "
                "it back, or stop all stages and start them again"
            )
        if self._fixed and _has_wal(self._path):
            raise LogUnavailable(
                f"sqlite:{self._path.parent}: another user writes to {self._path.name} now; try again, or read a copy "
                "made by `stream-nb backup`"
            )

    @contextmanager
    def _translating_errors(self, hint: str = "is the disk full or read-only?") -> Generator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in DAMAGED:
                raise self._damaged(error) from error
            if code == sqlite3.SQLITE_BUSY:
                hint = "another program has locked it: wait for it, or end it"
            if isinstance(error, PermissionError) or (
                os.path.exists(self._path) and not os.access(self._path, os.W_OK)
            ):
                read_only = os.statvfs(self._path.parent).f_flag & os.ST_RDONLY
                hint = f"{READ_ONLY if read_only else FOREIGN}, or name one that can be written, such as a copy"
            raise LogUnavailable(f"sqlite:{self._path.parent}: {self._path.name}: {_why(error)}; {hint}") from error

    def _damaged(self, why: object) -> LogDamaged:
        return LogDamaged(
            f"sqlite:{self._path.parent}: {self._path.name} is damaged ({why}); stop all stages, then replace the "
            "folder with a copy made by `stream-nb backup`, or start a fresh log in another folder"
        )


def _only_readable(path: Path) -> bool:
    """Whether there is a file that this process may not write, or beside which it may create no file."""
    return os.path.exists(path) and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _has_wal(path: Path) -> bool:
    """Whether a part of the file's content is in its write-ahead log: it is in use, or a process that wrote it died."""
    wal = f"{path}-wal"
    return os.path.exists(wal) and os.path.getsize(wal) > 0


def _why(error: Exception) -> object:
    return (isinstance(error, OSError) and error.strerror) or error
