"""A worker of Heddle in Python: it runs graphs of text nodes, over the worker protocol
(docs/architecture/11-worker-protocol.md). generate.sh makes heddle/worker/v1 of the published proto.

  HEDDLE_WORK_URL=127.0.0.1:8390 HEDDLE_ASSETS_URL=http://127.0.0.1:8290 HEDDLE_SERVICE_TOKEN_FILE=worker.token python worker.py
"""
import base64, http.client, json, os, queue, sys, threading, time, urllib.parse, uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

import grpc
from heddle.worker.v1 import worker_pb2 as pb
from heddle.worker.v1.worker_pb2_grpc import WorkerServiceStub

SLOTS, WORKER_ID = int(os.environ.get("SLOTS", "8")), f"python-{uuid.uuid4()}"
ASSETS = urllib.parse.urlparse(os.environ["HEDDLE_ASSETS_URL"])
OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.keepalive_time_ms", 2000), ("grpc.keepalive_timeout_ms", 1500)]
NODES = {"PrimitiveString": lambda value: value, "PreviewAny": lambda source: str(source), "SaveText": lambda text, **_: text,
         "StringConcatenate": lambda string_a, string_b, delimiter="": string_a + delimiter + string_b}
# The file holds a token for each service that is called, and is read each time: tokens are renewed.
claims_of = lambda token: json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
token_for = lambda audience: {claims_of(one)["aud"]: one for one in open(os.environ["HEDDLE_SERVICE_TOKEN_FILE"]).read().split()}[audience]
pool_of = lambda claims: {"deployment_id": claims["dep"], "revision": claims.get("rev", 0)}
reports_of = lambda reports: pb.WorkRequest(reports=pb.Reports(reports=list(reports)))
now = lambda: datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")

class Worker:
    def __init__(self):
        self.lock, self.pool = threading.Lock(), ThreadPoolExecutor(SLOTS)
        self.held = {}  # (job, fence): the event that stops the run
        self.pending = {}  # (job, fence, sequence): a report that is not acknowledged yet
        self.out, self.received, self.lease_seconds = queue.Queue(), 0, 30

    def slots(self):
        return pb.WorkRequest(slots=pb.Slots(free=max(0, SLOTS - len(self.held)), received=self.received))

    def keys(self):
        return [pb.LeaseKey(job_id=job, fence=fence) for job, fence in self.held]

    def requests(self, out):
        """What a stream sends: who works, what it holds, what nobody has acknowledged; then whatever comes up."""
        with self.lock:
            pool = pool_of(claims_of(token_for("jobs")))
            hello = pb.Hello(protocol_version=2, worker_id=WORKER_ID, environment="python/1", held=self.keys(), **pool)
            first = [pb.WorkRequest(hello=hello), self.slots(), reports_of(self.pending.values())]
        yield from first
        beat_at = time.monotonic()
        while True:
            try:
                request = out.get(timeout=max(0, beat_at - time.monotonic()))
            except queue.Empty:
                with self.lock:
                    request = pb.WorkRequest(heartbeat=pb.Heartbeat(sequence=1, leases=self.keys()))
                beat_at = time.monotonic() + self.lease_seconds / 6
            yield request

    def serve(self, url):
        """One stream, to its end. A broken one loses nothing: the next begins with all that counts."""
        with grpc.insecure_channel(url, OPTIONS) as channel:
            self.out, self.received = queue.Queue(), 0
            stub, metadata = WorkerServiceStub(channel), [("authorization", f"Bearer {token_for('jobs')}")]
            for response in stub.Work(self.requests(self.out), metadata=metadata):
                kind = response.WhichOneof("kind")
                if kind == "leases":
                    for lease in response.leases.leases:
                        self.begin(lease)
                elif kind in ("lease_states", "welcome"):
                    for state in getattr(response, kind).states:
                        self.told(state)
                elif kind == "acknowledgements":
                    for one in response.acknowledgements.acknowledgements:
                        self.settled(one)

    def begin(self, lease):
        with self.lock:
            self.received, self.lease_seconds = self.received + 1, lease.lease_seconds
            stop = self.held[lease.key.job_id, lease.key.fence] = threading.Event()
        self.pool.submit(self.run, lease, stop)

    def told(self, state):
        if state.state in (pb.LeaseState.STATE_LOST, pb.LeaseState.STATE_CANCEL_REQUESTED):
            self.held.get((state.lease.job_id, state.lease.fence), threading.Event()).set()
        if state.state == pb.LeaseState.STATE_LOST:
            self.release(state.lease)

    def settled(self, one):
        name = (one.lease.job_id, one.lease.fence, one.sequence)
        if one.verdict == pb.Acknowledgement.VERDICT_TRY_AGAIN and name in self.pending:
            threading.Timer(1, self.out.put, [reports_of([self.pending[name]])]).start()
            return
        report = self.pending.pop(name, None)
        if report and report.WhichOneof("body") == "outcome":
            self.release(one.lease)  # not before the end is stored: until then the heartbeat names the lease

    def release(self, key):
        with self.lock:
            self.held.pop((key.job_id, key.fence), None)
            for name in [name for name in self.pending if name[:2] == (key.job_id, key.fence)]:
                del self.pending[name]
            self.out.put(self.slots())

    def run(self, lease, stop):
        bodies, done, graph = [], {}, json.loads(lease.workflow)
        try:
            if lease.HasField("credentials"):
                raise RuntimeError("this worker takes no jobs with partner credentials")
            for node_id in graph:
                self.node(lease, graph, node_id, done, bodies)
            result = {"succeeded": pb.Outcome.Succeeded()}
        except Exception as error:  # what a node raises fails the job
            result = {"failed": pb.Outcome.Failed(code="node_execution_error", message=str(error))}
        if stop.is_set():
            result = {"canceled": pb.Outcome.Canceled()}
        progress = pb.Progress(value=1, nodes_done=lease.nodes_total, nodes_total=lease.nodes_total)
        bodies.append({"outcome": pb.Outcome(progress=progress, **result)})
        reports = [pb.Report(lease=lease.key, sequence=at, **body) for at, body in enumerate(bodies, 1)]
        with self.lock:
            self.pending.update({(r.lease.job_id, r.lease.fence, r.sequence): r for r in reports})
            self.out.put(reports_of(reports))

    def node(self, lease, graph, node_id, done, bodies):
        if node_id not in done:
            kind, given, started = graph[node_id]["class_type"], graph[node_id]["inputs"], now()
            link = lambda value: self.node(lease, graph, value[0], done, bodies) if isinstance(value, list) else value
            done[node_id] = NODES[kind](**{name: link(value) for name, value in given.items()})
            if kind == "SaveText":
                bodies.append({"output_committed": upload(lease.key, node_id, done[node_id].encode())})
            bodies.append({"node_finished": pb.NodeFinished(node_id=node_id, class_type=kind, started_at=started, ended_at=now())})
        return done[node_id]

def upload(key, node_id, text):
    """Stores an output. The assets service asks jobs whose lease it is: the message names no account."""
    output = dict(key=f"{node_id}/text/0", name="text.txt", type="text", contentType="text/plain")
    head = {"lease": {"jobId": key.job_id, "fence": key.fence}, "workerId": WORKER_ID, "output": output}
    headers = {"Authorization": f"Bearer {token_for('assets')}", "Content-Type": "application/octet-stream", "heddle-head": json.dumps(head)}
    connection = http.client.HTTPConnection(ASSETS.hostname, ASSETS.port, timeout=30)
    connection.request("POST", "/internal/v1/worker-assets/commit-output", text, headers)
    stored = json.loads((response := connection.getresponse()).read())
    if response.status != 200:
        raise RuntimeError(f"the output was not stored: {stored}")
    return pb.OutputCommitted(node_id=node_id, key=output["key"], name=output["name"], type="text", content_type="text/plain",
                              size_bytes=stored["sizeBytes"], asset_id=stored["assetId"], hash=stored["hash"])

if __name__ == "__main__":
    worker = Worker()
    while True:
        try:
            worker.serve(os.environ["HEDDLE_WORK_URL"])
        except grpc.RpcError as error:
            print(f"the stream broke: {error.code().name} {error.details()}", file=sys.stderr, flush=True)
            time.sleep(0.2)
