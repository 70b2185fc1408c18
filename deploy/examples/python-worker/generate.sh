#!/bin/sh
# Makes heddle/worker/v1/worker_pb2*.py of the published proto, in the given folder (default: beside this file).
# Needs: python -m pip install -r requirements.txt
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "${PYTHON:-python3}" -m grpc_tools.protoc --proto_path="$here/../../../libs/contracts/proto" \
  --python_out="${1:-$here}" --grpc_python_out="${1:-$here}" heddle/worker/v1/worker.proto
