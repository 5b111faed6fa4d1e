"""First calls of compiled kernels take seconds on a cold cache, so property tests have no deadline."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("compiled", deadline=None)
settings.load_profile("compiled")


@pytest.fixture(scope="session")
def data_folder():
    """Where the mail archives are: STREAM_NB_DATA, or ../shared/data beside the repository."""
    folder = Path(os.environ.get("STREAM_NB_DATA") or Path(__file__).parents[3] / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"needs the folder of mail archives, looked in {folder}: set STREAM_NB_DATA")
    return folder
