import { status } from '@grpc/grpc-js';
import type { ServedWorkPort } from '@heddle/contracts-messages';
import type { ServiceIdentity } from '@heddle/platform-service-calls';
import { WorkerStream } from './worker-stream.js';
import type { WorkCall, WorkerStreamWatch } from './worker-stream.js';

/** Workers of one replica; each has a stream. */
const MAX_STREAMS = 10_000;
/** A stream ends after so long, give or take a tenth, so that workers find new replicas; well before its connection does. */
const STREAM_AGE_MS = 240_000;
/** Time for the last answers of a stream to leave the process. */
const LAST_WORD_MS = 1_000;

/** The open streams of this replica. */
export class WorkStreams {
  readonly #open = new Set<WorkerStream>();
  readonly #over = new Map<WorkerStream, Promise<unknown>>();
  readonly #byWorker = new Map<string, WorkerStream>();
  #isStopping = false;

  constructor(
    private readonly work: ServedWorkPort,
    private readonly watch: WorkerStreamWatch,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  async accept(call: WorkCall, caller: ServiceIdentity): Promise<void> {
    if (this.#isStopping) return refuse(call, status.UNAVAILABLE, 'This replica is stopping.');
    if (this.#open.size >= MAX_STREAMS) {
      return refuse(call, status.RESOURCE_EXHAUSTED, `This replica serves ${MAX_STREAMS} workers already.`);
    }
    const stream = new WorkerStream(call, caller, this.work, this.watch);
    this.#open.add(stream);
    const closed = new Promise((resolve) => call.once('close', resolve));
    this.#over.set(stream, closed);
    const age = setTimeout(() => void stream.end(), STREAM_AGE_MS * (0.9 + Math.random() / 5));
    let name: string | null = null;
    await stream.serve(async (workerId) => {
      name = workerId;
      const earlier = this.#byWorker.get(workerId);
      this.#byWorker.set(workerId, stream);
      // What was granted to the stream that the worker has left is handed back before it is asked what it holds.
      await earlier?.end();
    });
    clearTimeout(age);
    this.#open.delete(stream);
    this.#over.delete(stream);
    if (name !== null && this.#byWorker.get(name) === stream) this.#byWorker.delete(name);
  }

  /** Sends every worker to another replica. */
  async end(): Promise<void> {
    this.#isStopping = true;
    const over = [...this.#over.values()];
    await Promise.all([...this.#open].map((stream) => stream.end()));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_WORD_MS)));
    await Promise.race([Promise.all(over), late]);
    clearTimeout(timer);
  }
}

function refuse(call: WorkCall, code: number, details: string): void {
  call.emit('error', { code, details });
}
