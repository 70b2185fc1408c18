import type { JobLease, LeaseKey, LeaseRequest, LeasesPort, LeaseState, WorkerEvent } from '@heddle/contracts-messages';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';
import { LeasePolls } from './lease-polls.js';
import { KeptWatch } from './kept-watch.js';

/** Several are sent in the time for which a lease is trusted without an answer. */
const HEARTBEAT_MS = 4_000;
/** Leases that are remembered of a worker until its next heartbeat says which it holds. */
const MOST_HELD = 1_024;

/**
 * The jobs service in other processes, as a worker sees it. It polls one replica and stays with it while it answers;
 * replicas tell each other of work and of cancels.
 */
export class RemoteLeases implements LeasesPort {
  readonly #client: ServiceClient;
  readonly #polls: LeasePolls;
  /** Leases that the worker held when it was last heard of, by worker. */
  readonly #held = new Map<string, readonly LeaseKey[]>();

  constructor(client: ServiceClient) {
    this.#client = client;
    this.#polls = new LeasePolls(client);
  }

  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<readonly JobLease[]> {
    const granted = await this.#polls.acquire(request, signal);
    // The service adds the deployment of a bound token to the name, here and in every later call.
    const leases = granted.map((lease) => ({ ...lease, workerId: request.workerId }));
    const keys = leases.map(({ jobId, fence }) => ({ jobId, fence }));
    if (keys.length > 0) {
      const before = this.#held.get(request.workerId) ?? [];
      this.#held.set(request.workerId, [...before, ...keys].slice(-MOST_HELD));
    }
    return leases;
  }

  async heartbeat(workerId: string, leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    this.#held.set(workerId, leases);
    return await this.#renew(workerId, leases);
  }

  watch(workerId: string, listener: (state: LeaseState) => void): () => void {
    const resynchronise = async (): Promise<void> => {
      const leases = this.#held.get(workerId) ?? [];
      if (leases.length === 0) return;
      for (const state of await this.#renew(workerId, leases)) if (state.state !== 'held') listener(state);
    };
    const watch = new KeptWatch(this.#client, workerId, listener, resynchronise);
    return () => {
      watch.end();
      this.#held.delete(workerId);
    };
  }

  async handBack(workerId: string, lease: LeaseKey): Promise<void> {
    const { jobId, fence } = lease;
    const head = { workerId, lease: { jobId, fence } };
    await this.#client.call({ path: CALLS.leases.handBack, head, repeatable: true });
  }

  async ingest(events: readonly WorkerEvent[]): Promise<void> {
    await this.#client.call({ path: CALLS.leases.ingest, head: { events }, repeatable: true });
  }

  async #renew(workerId: string, leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    const keys = leases.map(({ jobId, fence }) => ({ jobId, fence }));
    const head = { workerId, leases: keys };
    const call = { path: CALLS.leases.heartbeat, head, repeatable: true, deadlineMs: HEARTBEAT_MS };
    return (await this.#client.call(call)).head as readonly LeaseState[];
  }
}
