"""What a pack may weigh."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tavolino.offline.building import MAX_BYTES, check_size
from tavolino.offline.modules import CannotFreeze


def test_a_pack_that_has_grown_is_refused_and_its_largest_files_are_named(tmp_path: Path) -> None:
    content = os.urandom(MAX_BYTES)
    (tmp_path / "app.zip").write_bytes(content)
    (tmp_path / "worker.mjs").write_bytes(b"export {}")
    check_size(tmp_path, games=1)
    (tmp_path / "python.zip").write_bytes(content[:300_000])
    check_size(tmp_path, games=2)
    with pytest.raises(CannotFreeze, match=r"with gzip, 5600000 are the limit; the largest files: app\.zip 53"):
        check_size(tmp_path, games=1)
