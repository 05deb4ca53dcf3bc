"""The files of a dataset: a shard is a table of columns, as Parquet or as npz. The same columns give the same bytes."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.extras import require

Columns = dict[str, NDArray[Any]]
_EPOCH = (1980, 1, 1, 0, 0, 0)  # no clock in the bytes
_FAST = 1  # of zlib: three times faster than the usual level, and little larger


class TornShard(ValueError):
    """The file is not a whole shard. The message says so in one sentence."""


def shard_bytes(columns: Columns, format: str) -> bytes:
    """A shard in one of the formats."""
    return _npz(columns) if format == "npz" else _parquet(columns)


def _npz(columns: Columns) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, column in columns.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(column), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), member.getbuffer(), zipfile.ZIP_DEFLATED, _FAST)
    return file.getvalue()


def _parquet(columns: Columns) -> bytes:
    """Bytes of one width where a row holds many small numbers, which is several times faster than lists."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = {}
    for name, column in columns.items():
        if column.ndim == 1:
            arrays[name] = pa.array(column)
        elif column.dtype == np.uint8:
            buffer = pa.py_buffer(np.ascontiguousarray(column))
            kind = pa.binary(column.shape[1])
            arrays[name] = pa.FixedSizeBinaryArray.from_buffers(kind, len(column), [None, buffer])
        else:
            arrays[name] = pa.FixedSizeListArray.from_arrays(pa.array(column.ravel()), column.shape[1])
    file = io.BytesIO()
    pq.write_table(pa.table(arrays), file, compression="zstd", use_dictionary=False)
    return file.getvalue()


def read_shard(path: Path | str) -> Columns:
    """The columns of a shard as arrays, a row for each decision; TornShard for a file that is none."""
    path = Path(path)
    try:
        return _read_npz(path) if path.suffix == ".npz" else _read_parquet(path)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError) as problem:
        raise TornShard(f"{path} is not a whole shard: {_first_line(problem)}") from None


def _first_line(problem: Exception) -> str:
    return f"{str(problem).splitlines()[0].rstrip('.')}." if str(problem) else "it cannot be read."


def _read_npz(path: Path) -> Columns:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _read_parquet(path: Path) -> Columns:
    require("parquet", "pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {}
    table = pq.read_table(path)
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
        if pa.types.is_fixed_size_binary(column.type):
            width = column.type.byte_width
            columns[name] = np.frombuffer(column.buffers()[1], np.uint8)[: len(column) * width].reshape(-1, width)
        elif pa.types.is_fixed_size_list(column.type):
            columns[name] = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)
        else:
            columns[name] = column.to_numpy(zero_copy_only=False)
    return columns
