"""Reads an export with pyarrow by its manifest, and prints what it counted as JSON."""

import json
import sys
from collections import Counter

import pyarrow.parquet as parquet

folder = sys.argv[1]
with open(f"{folder}/manifest.json", encoding="utf-8") as file:
    manifest = json.load(file)

types, node_ms, schemas, numbers = Counter(), Counter(), set(), []
for path in (file["path"] for segment in manifest["segments"] for file in segment["files"]):
    # Not as a data set: its readers make columns of the names in the path.
    table = parquet.ParquetFile(f"{folder}/{path}").read()
    schemas.add(tuple((field.name, str(field.type)) for field in table.schema))
    for row in table.to_pylist():
        types[row["type"]] += 1
        numbers.append(row["seq"])
        if row["type"] == "NodeFinished":
            # The column repeats the payload.
            assert row["d_class_type"] == json.loads(row["data"])["classType"]
            span = row["d_ended_at"] - row["d_started_at"]
            node_ms[row["d_class_type"]] += round(span.total_seconds() * 1000)

print(
    json.dumps(
        {
            "types": types,
            "node_ms": node_ms,
            "schemas": [dict(schema) for schema in schemas],
            "dense": sorted(numbers) == list(range(1, len(numbers) + 1)),
        }
    )
)
