import type {
  DurableReport,
  JobLease,
  LeaseKey,
  LeaseState,
  Principal,
  ReportVerdict,
  ServedWorkPort,
  VolatileReport,
  WorkerIdentity,
  WorkListener,
  WorkSession,
} from '@heddle/contracts-messages';
import type { IngestReportsHandler } from './ingest-worker-events/ingest-reports.handler.js';
import type { ShowReportsHandler } from './ingest-worker-events/show-reports.handler.js';
import type { HandBackLeaseHandler } from './lease-job/hand-back-lease.handler.js';
import type { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import type { LeaseWatch } from './lease-job/lease-watch.js';
import type { OfferingWorker } from './lease-job/offering-worker.js';
import type { RenewLeasesHandler } from './lease-job/renew-leases.handler.js';
import type { UnnamedLeases } from './lease-job/unnamed-leases.js';

/** What workers hold and what they hear about it. */
export class HeldLeases {
  constructor(
    readonly renew: RenewLeasesHandler,
    readonly watch: LeaseWatch,
    readonly handBack: HandBackLeaseHandler,
    readonly unnamed: UnnamedLeases,
  ) {}
}

/** What workers report. */
export class WorkerReports {
  constructor(
    readonly durable: IngestReportsHandler,
    readonly volatile: ShowReportsHandler,
  ) {}
}

/** What a worker asks of this service, answered in this process. */
export class LocalWork implements ServedWorkPort {
  constructor(
    private readonly dispatcher: LeaseDispatcher,
    private readonly held: HeldLeases,
    private readonly reports: WorkerReports,
  ) {}

  open(worker: WorkerIdentity, listener: WorkListener): WorkSession {
    return new LocalSession(worker, listener, this.dispatcher, { held: this.held, reports: this.reports });
  }

  async handBackOthers(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void> {
    await this.held.unnamed.atHello(worker, held);
  }
}

interface Parts {
  readonly held: HeldLeases;
  readonly reports: WorkerReports;
}

const keyOf = ({ jobId, fence }: LeaseKey): string => `${jobId}:${fence}`;

class LocalSession implements WorkSession {
  readonly #worker: WorkerIdentity;
  readonly #dispatcher: LeaseDispatcher;
  readonly #parts: Parts;
  readonly #offering: OfferingWorker;
  readonly #unwatch: () => void;
  /** Whose jobs the worker's leases are, as the rows said: of these it may show progress. */
  readonly #owners = new Map<string, Principal>();

  constructor(worker: WorkerIdentity, listener: WorkListener, dispatcher: LeaseDispatcher, parts: Parts) {
    this.#worker = worker;
    this.#dispatcher = dispatcher;
    this.#parts = parts;
    this.#offering = dispatcher.join(worker, (leases) => {
      for (const lease of leases) this.#own(lease, lease);
      listener.leases(leases);
    });
    this.#unwatch = parts.held.watch.watch(worker.workerId, (state) => {
      if (state.state === 'lost') this.#owners.delete(keyOf(state));
      listener.state(state);
    });
  }

  offer(slots: number): void {
    this.#dispatcher.offer(this.#offering, slots);
  }

  async heartbeat(leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    const { renew, unnamed } = this.#parts.held;
    const renewed = await renew.handle(this.#worker, leases);
    for (const { state, owner } of renewed) {
      if (owner === null) this.#owners.delete(keyOf(state));
      else this.#own(state, owner);
    }
    await unnamed.atHeartbeat(this.#worker, leases);
    return renewed.map(({ state }) => state);
  }

  async report(reports: readonly DurableReport[]): Promise<readonly ReportVerdict[]> {
    const verdicts = await this.#parts.reports.durable.handle(this.#worker, reports);
    for (const report of reports) if (report.kind === 'outcome') this.#owners.delete(keyOf(report));
    return verdicts;
  }

  async show(report: VolatileReport): Promise<void> {
    const owner = this.#owners.get(keyOf(report)) ?? null;
    await this.#parts.reports.volatile.handle(this.#worker, owner, report);
  }

  async handBack(lease: LeaseKey): Promise<void> {
    await this.#parts.held.handBack.handle(this.#worker, lease);
    this.#owners.delete(keyOf(lease));
  }

  async close(): Promise<void> {
    this.#unwatch();
    await this.#dispatcher.leave(this.#offering);
  }

  #own(lease: LeaseKey, { accountId, deploymentId }: Principal | JobLease): void {
    this.#owners.set(keyOf(lease), { accountId, deploymentId });
  }
}
