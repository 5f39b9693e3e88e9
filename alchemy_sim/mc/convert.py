"""A Polars table as a pandas one, column by column, so that pyarrow is not needed."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl


def to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """The table for pandas: labels as Categorical, integers and Booleans with nulls as pandas' nullable types."""
    return pd.DataFrame({name: _column(frame[name]) for name in frame.columns})


def _column(series: pl.Series) -> Any:
    missing = series.is_null().to_numpy()
    if isinstance(series.dtype, pl.Enum):
        codes = series.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
        return pd.Categorical.from_codes(codes, categories=series.dtype.categories.to_list())
    if series.dtype == pl.Boolean:
        values = series.fill_null(False).to_numpy()
        return pd.arrays.BooleanArray(values.copy(), missing.copy()) if missing.any() else values
    if series.dtype.is_integer():
        values = series.fill_null(0).to_numpy()
        return pd.arrays.IntegerArray(values.copy(), missing.copy()) if missing.any() else values
    if series.dtype.is_float():
        return series.to_numpy()
    return series.to_list()
