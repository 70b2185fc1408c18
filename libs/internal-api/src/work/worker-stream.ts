import { status } from '@grpc/grpc-js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { MAX_WORKER_ID } from '@heddle/contracts-messages';
import type {
  DurableReport,
  JobLease,
  LeaseKey,
  LeaseState,
  ServedWorkPort,
  WorkerPool,
  WorkSession,
} from '@heddle/contracts-messages';
import type { ServiceIdentity } from '@heddle/platform-service-calls';
import { WorkResponse } from '../generated/heddle/worker/v1/worker.js';
import type { Hello, Report, Slots, WorkRequest } from '../generated/heddle/worker/v1/worker.js';
import { boundWorkerId, isBoundName } from '../lease-authority/callers-lease.js';
import { keyOfMessage, leaseMessage, stateMessage } from './lease-messages.js';
import { OversizedRequest } from './read-request.js';
import { PROTOCOL_VERSION, VERSION_WITHOUT_POOL } from './protocol-version.js';
import { acknowledgementMessage, isVolatile, reportOfMessage } from './report-messages.js';
import type { ReportAnswer } from './report-messages.js';
import { poolOfHello } from './worker-pool.js';

export type WorkCall = ServerDuplexStream<WorkRequest | OversizedRequest, WorkResponse>;

/** The owner of a stream: the service of its token, and the pool of tokens that name no deployment. */
interface WorkCaller {
  readonly identity: ServiceIdentity;
  readonly defaultPool: WorkerPool | null;
}

/** Observes messages of a worker that the service cannot use. */
export interface WorkerStreamWatch {
  refused(reason: string): void;
}

const MAX_ENVIRONMENT = 200;
const MAX_SLOTS = 1_024;
const MAX_PREVIEW_BYTES = 1024 ** 2;
/** Limit on concurrently handled messages of one worker. At the limit, the service stops reading the stream. */
const MAX_UNDER_WAY = 64;
/** Limit on answers that a worker has not read. Beyond it, the service ends the stream. */
const MAX_BACKLOG = 10_000;
/** The same limit in bytes, without leases: the slots bound those. */
const MAX_BACKLOG_BYTES = 16 * 1024 ** 2;

/** Serves one worker's stream: passes its messages to a session of WorkPort and sends the answers. */
export class WorkerStream {
  readonly #call: WorkCall;
  readonly #caller: WorkCaller;
  readonly #work: ServedWorkPort;
  readonly #watch: WorkerStreamWatch;
  #session: WorkSession | null = null;
  #sent = 0;
  #backlogBytes = 0;
  #ended = false;
  readonly #underWay = new Set<Promise<void>>();

  constructor(call: WorkCall, caller: WorkCaller, work: ServedWorkPort, watch: WorkerStreamWatch) {
    this.#call = call;
    this.#caller = caller;
    this.#work = work;
    this.#watch = watch;
  }

  /** Calls `greeted` with the worker's name after Hello. Resolves when the stream has ended. Never rejects. */
  async serve(greeted: (workerId: string) => Promise<void>): Promise<void> {
    try {
      for await (const message of this.#call as AsyncIterable<WorkRequest | OversizedRequest>) {
        if (this.#ended) break;
        if (message instanceof OversizedRequest) {
          this.#watch.refused('too_large');
          this.refuse(status.RESOURCE_EXHAUSTED, message.details);
          break;
        }
        const { kind } = message;
        if (this.#session === null) await this.#greet(kind?.$case === 'hello' ? kind.value : null, greeted);
        else {
          this.#take(this.#session, kind);
          if (this.#underWay.size >= MAX_UNDER_WAY) await Promise.race(this.#underWay);
        }
      }
    } catch {
      // A broken stream: the worker opens another one.
    }
    if (this.#ended) await this.#session?.close();
    await this.end();
  }

  /** Ends the stream in order: hands back unsent leases, and the worker opens another stream. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#session?.close();
    await Promise.all(this.#underWay);
    this.#call.end();
  }

  /** Ends the stream with an error status. */
  refuse(code: number, details: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#call.emit('error', { code, details });
  }

  async #greet(hello: Hello | null, greeted: (workerId: string) => Promise<void>): Promise<void> {
    if (hello === null) return this.refuse(status.INVALID_ARGUMENT, 'The first message of a worker must be Hello.');
    const { protocolVersion, workerId, environment } = hello;
    if (protocolVersion !== PROTOCOL_VERSION && protocolVersion !== VERSION_WITHOUT_POOL) {
      const details = `The worker speaks version ${protocolVersion} of the worker protocol, this service speaks version ${PROTOCOL_VERSION}.`;
      return this.refuse(status.FAILED_PRECONDITION, details);
    }
    if (!isName(workerId, MAX_WORKER_ID) || !isName(environment, MAX_ENVIRONMENT)) {
      const details =
        `Hello needs a worker_id of 1 to ${MAX_WORKER_ID} and an environment of 1 to ${MAX_ENVIRONMENT} ` +
        'printable characters.';
      return this.refuse(status.INVALID_ARGUMENT, details);
    }
    const { identity, defaultPool } = this.#caller;
    const pool = poolOfHello(hello, identity, defaultPool);
    if ('code' in pool) return this.refuse(pool.code, pool.details);
    if (identity.deploymentId === null && isBoundName(workerId)) {
      const details = 'A worker_id must not end with @ and an id: such names are for workers of a deployment.';
      return this.refuse(status.INVALID_ARGUMENT, details);
    }
    const worker = { workerId: boundWorkerId(identity, workerId), environment, ...pool };
    const held = keysOf(hello.held);
    await greeted(worker.workerId);
    // Meanwhile the worker may have opened another stream, or the replica may stop.
    if (this.#ended) return;
    const session = this.#work.open(worker, {
      leases: (leases) => this.#give(leases),
      state: (state) => this.#sendStates([state]),
    });
    this.#session = session;
    try {
      const states = await session.heartbeat(held);
      await this.#work.handBackOthers(worker, held);
      const value = { protocolVersion, states: states.map(stateMessage) };
      this.#write({ $case: 'welcome', value });
    } catch {
      this.refuse(status.UNAVAILABLE, 'The service cannot read the leases of the worker now.');
      await session.close();
    }
  }

  #take(session: WorkSession, kind: WorkRequest['kind']): void {
    switch (kind?.$case) {
      case 'slots':
        return session.offer(this.#freeOf(kind.value));
      case 'heartbeat': {
        const { leases, sequence } = kind.value;
        return this.#whenDone(session.heartbeat(keysOf(leases)), (states) => this.#sendStates(states, sequence));
      }
      case 'reports':
        return this.#store(session, kind.value.reports);
      case 'handBack': {
        const lease = keyOfMessage(kind.value.lease);
        return this.#whenDone(session.handBack(lease), () => this.#sendStates([{ ...lease, state: 'lost' }]));
      }
      case 'hello':
        return this.#watch.refused('malformed');
      case undefined:
        return this.#watch.refused('unknown_kind');
    }
  }

  /** Sends no answer on failure: the worker asks again. */
  #whenDone<T>(asking: Promise<T>, answer: (value: T) => void): void {
    this.#keep(asking.then(answer, () => undefined));
  }

  #keep(working: Promise<void>): void {
    const done = working.finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** The worker's free slots, less the leases that it has not received yet. */
  #freeOf({ free, received }: Slots): number {
    return Math.min(free, MAX_SLOTS) - Math.max(0, this.#sent - received);
  }

  #store(session: WorkSession, messages: readonly Report[]): void {
    const durable: { readonly message: Report; readonly report: DurableReport }[] = [];
    const answers: [Report, ReportAnswer][] = [];
    messages.forEach((message) => {
      const report = reportOfMessage(message);
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
    this.#keep(storing);
  }

  #acknowledge(answers: readonly (readonly [Report, ReportAnswer])[]): void {
    if (answers.length === 0) return;
    const acknowledgements = answers.map(([message, answer]) => acknowledgementMessage(message, answer));
    this.#write({ $case: 'acknowledgements', value: { acknowledgements } });
  }

  /** Sends each lease in a message of its own: together they could exceed the worker's message limit. */
  #give(leases: readonly JobLease[]): void {
    for (const lease of leases) {
      this.#sent += 1;
      this.#write({ $case: 'leases', value: { leases: [leaseMessage(lease)] } });
    }
  }

  #sendStates(states: readonly LeaseState[], heartbeat?: number): void {
    this.#write({ $case: 'leaseStates', value: { heartbeat, states: states.map(stateMessage) } });
  }

  #write(kind: NonNullable<WorkResponse['kind']>): void {
    if (this.#call.destroyed || this.#call.writableEnded) return;
    const bytes = kind.$case === 'leases' ? 0 : WorkResponse.encode({ kind }).finish().length;
    this.#backlogBytes += bytes;
    this.#call.write({ kind }, () => (this.#backlogBytes -= bytes));
    if (this.#call.writableLength > MAX_BACKLOG || this.#backlogBytes > MAX_BACKLOG_BYTES) {
      this.refuse(status.RESOURCE_EXHAUSTED, 'The worker does not read what the service sends.');
    }
  }
}

function isName(text: string, maxLength: number): boolean {
  return text.length > 0 && text.length <= maxLength && !/[\p{Cc}\p{Cs}]/u.test(text);
}

function keysOf(messages: Hello['held']): readonly LeaseKey[] {
  return messages.map(keyOfMessage);
}
