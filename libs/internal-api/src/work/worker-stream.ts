import { status } from '@grpc/grpc-js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type {
  DeploymentId,
  DurableReport,
  JobLease,
  LeaseKey,
  LeaseState,
  ServedWorkPort,
  WorkerIdentity,
  WorkSession,
} from '@heddle/contracts-messages';
import type { ServiceIdentity } from '@heddle/platform-service-calls';
import type { Hello, Report, Slots, WorkRequest, WorkResponse } from '../generated/heddle/worker/v1/worker.js';
import { boundWorkerId } from '../lease-authority/worker-lease.js';
import { keyOfMessage, leaseMessage, stateMessage } from './lease-messages.js';
import { PROTOCOL_VERSION } from './protocol-version.js';
import { acknowledgementMessage, isVolatile, reportOfMessage } from './report-messages.js';
import type { Answer } from './report-messages.js';

export type WorkCall = ServerDuplexStream<WorkRequest, WorkResponse>;

/** Observes messages of a worker that the service cannot use. */
export interface WorkerStreamWatch {
  refused(reason: string): void;
}

/** The log keeps 200 characters of who reported; a bound worker's name contains its deployment. */
const MAX_WORKER_ID = 150;
const MAX_ENVIRONMENT = 200;
const MAX_SLOTS = 1_024;
/** Leases that one message may name; as many as a worker with all its slots can hold. */
const MAX_LEASES = 4 * MAX_SLOTS;
const MAX_REPORTS = 1_000;
const MAX_PREVIEW_BYTES = 1024 ** 2;
/** Limit on a worker's report messages that are being stored at once. The service stops reading the stream until one is stored. */
const MAX_UNDER_WAY = 64;
/** Limit on answers that a worker has not read. Beyond it the service ends the stream. */
const MAX_BACKLOG = 10_000;

/** The serving end of one worker's stream: messages in, the worker's session behind it, messages out. */
export class WorkerStream {
  readonly #call: WorkCall;
  readonly #caller: ServiceIdentity;
  readonly #work: ServedWorkPort;
  readonly #watch: WorkerStreamWatch;
  #session: WorkSession | null = null;
  #sent = 0;
  #ended = false;
  readonly #underWay = new Set<Promise<void>>();

  constructor(call: WorkCall, caller: ServiceIdentity, work: ServedWorkPort, watch: WorkerStreamWatch) {
    this.#call = call;
    this.#caller = caller;
    this.#work = work;
    this.#watch = watch;
  }

  /** `greeted` is called with the worker's name once it is known. Resolves when the stream is over. Never rejects. */
  async serve(greeted: (workerId: string) => Promise<void>): Promise<void> {
    try {
      for await (const { kind } of this.#call as AsyncIterable<WorkRequest>) {
        if (this.#ended) break;
        if (this.#session === null) await this.#greet(kind?.$case === 'hello' ? kind.value : null, greeted);
        else await this.#take(this.#session, kind);
      }
    } catch {
      // It broke: the worker comes back by another one.
    }
    await this.end();
  }

  /** Ends it in order: what was granted for it meanwhile is handed back, and the worker opens another one. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#session?.close();
    await Promise.all(this.#underWay);
    this.#call.end();
  }

  #refuse(code: number, details: string): void {
    this.#ended = true;
    this.#call.emit('error', { code, details });
  }

  async #greet(hello: Hello | null, greeted: (workerId: string) => Promise<void>): Promise<void> {
    if (hello === null) return this.#refuse(status.INVALID_ARGUMENT, 'The first message of a worker must be Hello.');
    const { protocolVersion, workerId, environment } = hello;
    if (protocolVersion !== PROTOCOL_VERSION) {
      const details = `The worker speaks version ${protocolVersion} of the worker protocol, this service speaks version ${PROTOCOL_VERSION}.`;
      return this.#refuse(status.FAILED_PRECONDITION, details);
    }
    if (!isName(workerId, MAX_WORKER_ID) || !isName(environment, MAX_ENVIRONMENT)) {
      const details =
        `Hello needs a worker_id of 1 to ${MAX_WORKER_ID} and an environment of 1 to ${MAX_ENVIRONMENT} ` +
        'printable characters.';
      return this.#refuse(status.INVALID_ARGUMENT, details);
    }
    const worker = identityOf(this.#caller, hello);
    const held = keysOf(hello.held);
    await greeted(worker.workerId);
    // Meanwhile the worker may have opened another one, or the replica may stop.
    if (this.#ended) return;
    const session = this.#work.open(worker, {
      leases: (leases) => this.#give(leases),
      state: (state) => this.#tell([state]),
    });
    this.#session = session;
    try {
      const states = await session.heartbeat(held);
      await this.#work.handBackOthers(worker, held);
      const value = { protocolVersion: PROTOCOL_VERSION, states: states.map(stateMessage) };
      this.#write({ $case: 'welcome', value });
    } catch {
      this.#refuse(status.UNAVAILABLE, 'The service cannot read the leases of the worker now.');
      await session.close();
    }
  }

  async #take(session: WorkSession, kind: WorkRequest['kind']): Promise<void> {
    switch (kind?.$case) {
      case 'slots':
        return session.offer(this.#freeOf(kind.value));
      case 'heartbeat': {
        const { leases, sequence } = kind.value;
        return this.#whenDone(session.heartbeat(keysOf(leases)), (states) => this.#tell(states, sequence));
      }
      case 'reports':
        this.#store(session, kind.value.reports);
        if (this.#underWay.size >= MAX_UNDER_WAY) await Promise.race(this.#underWay);
        return;
      case 'handBack': {
        const lease = keyOfMessage(kind.value.lease);
        return this.#whenDone(session.handBack(lease), () => this.#tell([{ ...lease, state: 'lost' }]));
      }
      case 'hello':
        return this.#watch.refused('malformed');
      case undefined:
        return this.#watch.refused('unknown_kind');
    }
  }

  /** Without an answer the worker asks again. */
  #whenDone<T>(asking: Promise<T>, answer: (value: T) => void): void {
    void asking.then(answer, () => undefined);
  }

  /** Of the slots that are free at the worker, some are for leases that it has not received yet. */
  #freeOf({ free, received }: Slots): number {
    return Math.min(free, MAX_SLOTS) - Math.max(0, this.#sent - received);
  }

  #store(session: WorkSession, messages: readonly Report[]): void {
    const durable: { readonly message: Report; readonly report: DurableReport }[] = [];
    const answers: [Report, Answer][] = [];
    messages.forEach((message, at) => {
      const report = at < MAX_REPORTS ? reportOfMessage(message) : 'too_large';
      if (typeof report === 'string') {
        this.#watch.refused(report);
        answers.push([message, report]);
      } else if (!isVolatile(report)) durable.push({ message, report });
      else if (report.kind === 'preview' && report.data.length > MAX_PREVIEW_BYTES) this.#watch.refused('too_large');
      else void session.show(report);
    });
    this.#acknowledge(answers);
    if (durable.length === 0) return;
    const storing = session.report(durable.map(({ report }) => report)).then(
      (verdicts) => this.#acknowledge(durable.map(({ message }, at) => [message, verdicts[at] ?? 'try_again'])),
      () => this.#acknowledge(durable.map(({ message }) => [message, 'try_again'])),
    );
    const done = storing.finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  #acknowledge(answers: readonly (readonly [Report, Answer])[]): void {
    if (answers.length === 0) return;
    const acknowledgements = answers.map(([message, answer]) => acknowledgementMessage(message, answer));
    this.#write({ $case: 'acknowledgements', value: { acknowledgements } });
  }

  /** One message each: together they could be more than a worker reads. */
  #give(leases: readonly JobLease[]): void {
    for (const lease of leases) {
      this.#sent += 1;
      this.#write({ $case: 'leases', value: { leases: [leaseMessage(lease)] } });
    }
  }

  #tell(states: readonly LeaseState[], heartbeat?: number): void {
    this.#write({ $case: 'leaseStates', value: { heartbeat, states: states.map(stateMessage) } });
  }

  #write(kind: NonNullable<WorkResponse['kind']>): void {
    if (this.#call.destroyed || this.#call.writableEnded) return;
    this.#call.write({ kind });
    if (this.#call.writableLength > MAX_BACKLOG) {
      this.#refuse(status.RESOURCE_EXHAUSTED, 'The worker does not read what the service sends.');
    }
  }
}

function identityOf(caller: ServiceIdentity, { workerId, environment }: Hello): WorkerIdentity {
  return {
    workerId: boundWorkerId(caller, workerId),
    environment,
    deploymentId: caller.deploymentId as DeploymentId | null,
  };
}

function isName(text: string, maxLength: number): boolean {
  return text.length > 0 && text.length <= maxLength && !/[\p{Cc}\p{Cs}]/u.test(text);
}

function keysOf(messages: Hello['held']): readonly LeaseKey[] {
  return messages.slice(0, MAX_LEASES).map(keyOfMessage);
}
