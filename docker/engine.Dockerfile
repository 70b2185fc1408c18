# Pattern of a pinned environment for a dedicated deployment: an engine, its Python packages and its nodes.
#
#   docker build -f docker/engine.Dockerfile --build-arg BASE=IMAGE --build-arg BASE_DIGEST=sha256:… -t engine:REVISION FOLDER
#
# BASE is a Python image for CPUs, or a CUDA runtime image with Python 3 for GPUs; BASE_DIGEST pins it as well.
# FOLDER holds the engine in `engine/` (with main.py), its nodes in `engine/custom_nodes/`, and `requirements.lock` with a
# hash for each package: pip compile --generate-hashes, or uv pip compile --generate-hashes.
# Give the chart heddle-deployment the digest that the registry prints after the push.
ARG BASE
ARG BASE_DIGEST
FROM ${BASE}@${BASE_DIGEST}
COPY requirements.lock /engine/requirements.lock
RUN python3 -m pip install --no-cache-dir --require-hashes -r /engine/requirements.lock
COPY engine/ /engine/
# As the chart runs it: no root, a read-only root, and folders that it writes to from environment.engine.writable.
USER 10001:10001
WORKDIR /engine
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1
# At 127.0.0.1: the worker in the same pod is its only client. Models are mounted at /models.
ENTRYPOINT ["python3", "main.py", "--listen", "127.0.0.1", "--port", "8188"]
CMD ["--output-directory", "/tmp/output", "--temp-directory", "/tmp/temp", "--input-directory", "/tmp/input"]
