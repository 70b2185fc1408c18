import type {
  DurableReport,
  JobLease,
  LeaseKey,
  LeaseState,
  Principal,
  ReportVerdict,
  VolatileReport,
  WorkerIdentity,
  WorkListener,
  WorkSession,
} from '@heddle/contracts-messages';
import type { IngestReportsHandler } from '../ingest-worker-events/ingest-reports.handler.js';
import type { ShowReportsHandler } from '../ingest-worker-events/show-reports.handler.js';
import type { LeaseDispatcher } from '../lease-job/lease-dispatcher.js';
import type { OfferingWorker } from '../lease-job/offering-worker.js';
import type { PoolMember } from '../watch-pools/local-worker-pools.js';
import type { WorkerLeases } from './worker-leases.js';

/** A worker with an open session, and the receiver of messages to it. */
interface ConnectedWorker {
  readonly worker: WorkerIdentity;
  readonly listener: WorkListener;
  readonly member: PoolMember;
}

/** Handles a worker's reports: `durable` ones are stored, `volatile` ones go to open streams. */
interface WorkerReports {
  readonly durable: Pick<IngestReportsHandler, 'handle'>;
  readonly volatile: Pick<ShowReportsHandler, 'handle'>;
}

const keyOf = ({ jobId, fence }: LeaseKey): string => `${jobId}:${fence}`;

/** One worker's session with this process. */
export class WorkerSession implements WorkSession {
  readonly #worker: WorkerIdentity;
  readonly #member: PoolMember;
  readonly #offering: OfferingWorker;
  readonly #unwatch: () => void;
  /** Owners of the worker's leases, from the rows: it may show progress only for these jobs. */
  readonly #owners = new Map<string, Principal>();

  constructor(
    { worker, listener, member }: ConnectedWorker,
    private readonly dispatcher: LeaseDispatcher,
    private readonly leases: WorkerLeases,
    private readonly reports: WorkerReports,
  ) {
    this.#worker = worker;
    this.#member = member;
    const take = (granted: readonly JobLease[]): void => {
      for (const lease of granted) this.#own(lease, lease);
      listener.leases(granted);
    };
    this.#offering = dispatcher.newWorker(worker, take, () => member.isPaused());
    this.#unwatch = leases.watch(worker.workerId, (state) => {
      if (state.state === 'lost') this.#owners.delete(keyOf(state));
      listener.state(state);
    });
  }

  offer(slots: number): void {
    this.dispatcher.offer(this.#offering, slots);
  }

  async heartbeat(named: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    const renewed = await this.leases.heartbeat(this.#worker, named);
    for (const { state, owner } of renewed) {
      if (owner === null) this.#owners.delete(keyOf(state));
      else this.#own(state, owner);
    }
    await this.leases.handBackUnnamed(this.#worker, named);
    return renewed.map(({ state }) => state);
  }

  async report(reports: readonly DurableReport[]): Promise<readonly ReportVerdict[]> {
    const verdicts = await this.reports.durable.handle(this.#worker, reports);
    for (const report of reports) if (report.kind === 'outcome') this.#owners.delete(keyOf(report));
    return verdicts;
  }

  async show(report: VolatileReport): Promise<void> {
    await this.reports.volatile.handle(this.#worker, this.#owners.get(keyOf(report)) ?? null, report);
  }

  async handBack(lease: LeaseKey): Promise<void> {
    await this.leases.handBack(this.#worker, lease);
    this.#owners.delete(keyOf(lease));
  }

  async close(): Promise<void> {
    this.#unwatch();
    this.#member.leave();
    await this.dispatcher.leave(this.#offering);
  }

  #own(lease: LeaseKey, { accountId, deploymentId }: Principal | JobLease): void {
    this.#owners.set(keyOf(lease), { accountId, deploymentId });
  }
}
