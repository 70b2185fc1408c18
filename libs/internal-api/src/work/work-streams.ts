import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type { ServedWorkPort, WorkerPool } from '@heddle/contracts-messages';
import type { ServiceIdentity } from '@heddle/platform-service-calls';
import { WorkerStream } from './worker-stream.js';
import type { WorkCall, WorkerStreamWatch } from './worker-stream.js';

/** Limit on workers of one replica; each worker has one stream. */
const MAX_STREAMS = 10_000;
/** A tenth of them, so that one deployment cannot take the streams of all others. */
const MAX_STREAMS_OF_DEPLOYMENT = 1_000;
/** A worker sends Hello as it opens its stream; the rest of the time is for slow networks. */
const HELLO_MS = 5_000;
/** Lifetime of a stream, ±10 %, so that workers find new replicas. Shorter than the maximum age of its connection. */
const STREAM_AGE_MS = 240_000;
/** Time to send the last answers of a stream */
const LAST_ANSWERS_TIMEOUT_MS = 1_000;

export interface StreamBounds {
  readonly helloMs: number;
  /** Limit for the workers of one deployment; the default pool has none of its own */
  readonly streamsOfDeployment: number;
}

/** Accepts, limits and ends the worker streams of this replica. */
export class WorkStreams {
  readonly #open = new Set<WorkerStream>();
  readonly #over = new Map<WorkerStream, Promise<unknown>>();
  readonly #ofDeployment = new Map<string, number>();
  readonly #bounds: StreamBounds;
  readonly #byWorker = new Map<string, WorkerStream>();
  #isStopping = false;

  constructor(
    private readonly work: ServedWorkPort,
    private readonly watch: WorkerStreamWatch,
    private readonly defaultPool: WorkerPool | null,
    bounds: Partial<StreamBounds> = {},
  ) {
    this.#bounds = { helloMs: HELLO_MS, streamsOfDeployment: MAX_STREAMS_OF_DEPLOYMENT, ...bounds };
  }

  get size(): number {
    return this.#open.size;
  }

  async accept(call: WorkCall, caller: ServiceIdentity): Promise<void> {
    if (this.#isStopping) return refuse(call, status.UNAVAILABLE, 'This replica is stopping.');
    if (this.#open.size >= MAX_STREAMS) {
      return refuse(call, status.RESOURCE_EXHAUSTED, `This replica serves ${MAX_STREAMS} workers already.`);
    }
    const { helloMs, streamsOfDeployment } = this.#bounds;
    const deploymentId = this.#limitedDeployment(caller);
    if (deploymentId !== null && (this.#ofDeployment.get(deploymentId) ?? 0) >= streamsOfDeployment) {
      const details = `This replica serves ${streamsOfDeployment} workers of the deployment already.`;
      return refuse(call, status.RESOURCE_EXHAUSTED, details);
    }
    this.#count(deploymentId, 1);
    const stream = new WorkerStream(call, { identity: caller, defaultPool: this.defaultPool }, this.work, this.watch);
    this.#open.add(stream);
    const closed = new Promise((resolve) => call.once('close', resolve));
    this.#over.set(stream, closed);
    const age = setTimeout(() => void stream.end(), STREAM_AGE_MS * (0.9 + Math.random() / 5));
    const silent = setTimeout(() => {
      stream.refuse(status.DEADLINE_EXCEEDED, `The worker sent no Hello within ${helloMs / 1_000} s.`);
    }, helloMs);
    let name: string | null = null;
    await stream.serve(async (workerId) => {
      clearTimeout(silent);
      name = workerId;
      const earlier = this.#byWorker.get(workerId);
      this.#byWorker.set(workerId, stream);
      // The old stream hands back its unsent leases before the worker's leases are looked up.
      await earlier?.end();
    });
    clearTimeout(silent);
    clearTimeout(age);
    this.#count(deploymentId, -1);
    this.#open.delete(stream);
    this.#over.delete(stream);
    if (name !== null && this.#byWorker.get(name) === stream) this.#byWorker.delete(name);
  }

  #limitedDeployment({ deploymentId }: ServiceIdentity): string | null {
    return deploymentId === this.defaultPool?.deploymentId ? null : deploymentId;
  }

  #count(deploymentId: string | null, change: 1 | -1): void {
    if (deploymentId === null) return;
    const count = (this.#ofDeployment.get(deploymentId) ?? 0) + change;
    if (count === 0) this.#ofDeployment.delete(deploymentId);
    else this.#ofDeployment.set(deploymentId, count);
  }

  /** Ends all streams, so that workers connect to other replicas. */
  async end(): Promise<void> {
    this.#isStopping = true;
    const over = [...this.#over.values()];
    await Promise.all([...this.#open].map((stream) => stream.end()));
    await Promise.race([Promise.all(over), delay(LAST_ANSWERS_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

function refuse(call: WorkCall, code: number, details: string): void {
  call.emit('error', { code, details });
}
