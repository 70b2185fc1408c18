import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type {
  DurableReport,
  LeaseKey,
  LeaseState,
  ReportVerdict,
  VolatileReport,
  WorkerIdentity,
  WorkListener,
  WorkPort,
  WorkSession,
} from '@heddle/contracts-messages';
import type { Logger } from '@heddle/platform-telemetry';
import type { Report, WorkRequest, WorkResponse } from '../generated/heddle/worker/v1/worker.js';
import { keyMessage, leaseOfMessage, stateOfMessage } from './lease-messages.js';
import { PendingReports } from './pending-reports.js';
import { PROTOCOL_VERSION } from './protocol-version.js';
import { messagesOf, reportMessage } from './report-messages.js';
import { WorkChannel } from './work-channel.js';
import type { OpenWorkStream, WorkTargets } from './work-channel.js';

/** A heartbeat or hand-back without an answer fails after this time. The next heartbeat asks again and leaves out what was handed back. */
const ANSWER_MS = 4_000;
/** A replica that does not greet within this time is left for another one. */
const WELCOME_MS = 5_000;
const FIRST_PAUSE_MS = 50;
/** A service that comes back finds its workers within this time. */
const MAX_PAUSE_MS = 1_000;
const GOODBYE_MS = 2_000;
/** Messages that wait for a slow line; then progress and previews are left out. */
const MAX_BACKLOG = 16;

export interface RemoteWorkOptions extends WorkTargets {
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
}

/** The jobs service in other processes, as a worker sees it. */
export class RemoteWork implements WorkPort {
  readonly #sessions = new Set<RemoteSession>();

  constructor(private readonly options: RemoteWorkOptions) {}

  /** Null while every session has a stream that the service has greeted; else what is missing. */
  get missing(): string | null {
    return [...this.#sessions].map(({ missing }) => missing).find((text) => text !== null) ?? null;
  }

  open(worker: WorkerIdentity, listener: WorkListener): WorkSession {
    const session = new RemoteSession(worker, listener, this.options, () => this.#sessions.delete(session));
    this.#sessions.add(session);
    return session;
  }
}

type Message = NonNullable<WorkRequest['kind']>;

/** A question that the service has not answered yet. */
interface Asked<T> {
  readonly kind: Message;
  resolve(answer: T): void;
}

const nameOf = ({ jobId, fence }: LeaseKey): string => `${jobId}:${fence}`;

/**
 * Keeps one stream open, and opens another wherever it breaks. A new stream begins with what the worker holds, takes and has
 * reported without an acknowledgement: nothing depends on which stream, or which replica, hears it.
 */
class RemoteSession implements WorkSession {
  readonly #worker: WorkerIdentity;
  readonly #listener: WorkListener;
  readonly #options: RemoteWorkOptions;
  readonly #closed: () => void;
  readonly #pending = new PendingReports();
  readonly #held = new Map<string, LeaseKey>();
  readonly #heartbeats = new Map<number, Asked<readonly LeaseState[]>>();
  readonly #handingBack = new Map<string, Asked<void>>();
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #stream: OpenWorkStream | null = null;
  #greeted = false;
  #free = 0;
  #received = 0;
  #beats = 0;
  #trouble = 'not connected yet';

  constructor(worker: WorkerIdentity, listener: WorkListener, options: RemoteWorkOptions, closed: () => void) {
    this.#worker = worker;
    this.#listener = listener;
    this.#options = options;
    this.#closed = closed;
    this.#ended = this.#keepOpen();
  }

  get missing(): string | null {
    return this.#greeted ? null : this.#trouble;
  }

  offer(slots: number): void {
    this.#free = Math.max(0, slots);
    this.#send(this.#slots());
  }

  async heartbeat(leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    this.#held.clear();
    for (const lease of leases) this.#held.set(nameOf(lease), lease);
    const sequence = ++this.#beats;
    const kind = { $case: 'heartbeat', value: { sequence, leases: leases.map(keyMessage) } } as const;
    return await this.#answered<number, readonly LeaseState[]>(this.#heartbeats, sequence, kind);
  }

  async report(reports: readonly DurableReport[]): Promise<readonly ReportVerdict[]> {
    const added = reports.map((report) => this.#pending.add(report));
    this.#report(added.map(({ message }) => message));
    const verdicts = await Promise.all(added.map(({ answer }) => answer));
    for (const report of reports) if (report.kind === 'outcome') this.#held.delete(nameOf(report));
    return verdicts;
  }

  async show(report: VolatileReport): Promise<void> {
    const backlog = this.#stream?.call.writableLength ?? Infinity;
    if (this.#greeted && backlog < MAX_BACKLOG) this.#report([reportMessage(report)]);
    await Promise.resolve();
  }

  async handBack(lease: LeaseKey): Promise<void> {
    const name = nameOf(lease);
    this.#held.delete(name);
    const kind = { $case: 'handBack', value: { lease: keyMessage(lease) } } as const;
    await this.#answered<string, void>(this.#handingBack, name, kind);
  }

  async close(): Promise<void> {
    this.#free = 0;
    this.#closing.abort();
    const stream = this.#stream;
    stream?.call.end();
    const late = setTimeout(() => stream?.call.cancel(), GOODBYE_MS);
    await this.#ended;
    clearTimeout(late);
    this.#pending.rejectAll(new Error('the session is closed'));
    this.#closed();
  }

  async #keepOpen(): Promise<void> {
    const { signal } = this.#closing;
    const channel = new WorkChannel(this.#options);
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted;) {
      const wasGreeted = await this.#serve(channel);
      if (signal.aborted) return;
      // A stream that the service ended in its time is followed by the next one at once.
      pauseMs = wasGreeted ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
      await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }

  /** One stream, from its opening to its end; whether the service greeted it. */
  async #serve(channel: WorkChannel): Promise<boolean> {
    const stream = channel.open((message) => this.#take(message));
    this.#stream = stream;
    this.#received = 0;
    const { workerId, environment } = this.#worker;
    const held = [...this.#held.values()].map(keyMessage);
    this.#send({ $case: 'hello', value: { protocolVersion: PROTOCOL_VERSION, workerId, environment, held } });
    const silent = setTimeout(() => {
      if (!this.#greeted) stream.call.cancel();
    }, WELCOME_MS);
    const { code, details } = await stream.over;
    clearTimeout(silent);
    const wasGreeted = this.#greeted;
    this.#greeted = false;
    this.#stream = null;
    this.#trouble = `${stream.url}: ${status[code]} ${details}`;
    if (code !== status.OK && !this.#closing.signal.aborted) {
      this.#options.logger?.warn({ url: stream.url, status: status[code], details }, 'the stream to jobs broke');
    }
    return wasGreeted;
  }

  #take({ kind }: WorkResponse): void {
    switch (kind?.$case) {
      case 'welcome':
        this.#greeted = true;
        this.#send(this.#slots());
        this.#report(this.#pending.messages);
        for (const { kind: asked } of [...this.#heartbeats.values(), ...this.#handingBack.values()]) this.#send(asked);
        return this.#apply(statesOf(kind.value.states));
      case 'leases': {
        const leases = kind.value.leases.map((lease) => leaseOfMessage(lease, this.#worker.workerId));
        this.#received += leases.length;
        for (const { jobId, fence } of leases) this.#held.set(nameOf({ jobId, fence }), { jobId, fence });
        return this.#listener.leases(leases);
      }
      case 'leaseStates': {
        const { heartbeat, states } = kind.value;
        if (heartbeat === undefined) return this.#apply(statesOf(states));
        return this.#heartbeats.get(heartbeat)?.resolve(statesOf(states));
      }
      case 'acknowledgements':
        for (const one of kind.value.acknowledgements) this.#pending.settle(one);
        return;
      case undefined:
    }
  }

  #apply(states: readonly LeaseState[]): void {
    for (const state of states) {
      if (state.state === 'lost') {
        this.#held.delete(nameOf(state));
        this.#handingBack.get(nameOf(state))?.resolve();
      }
      if (state.state !== 'held') this.#listener.state(state);
    }
  }

  /** Asked again on a new stream, until it is too late for an answer. */
  async #answered<Name, T>(asking: Map<Name, Asked<T>>, name: Name, kind: Message): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const late = setTimeout(() => reject(new Error('the jobs service did not answer in time')), ANSWER_MS);
    asking.set(name, { kind, resolve });
    this.#send(kind);
    return await promise.finally(() => {
      clearTimeout(late);
      asking.delete(name);
    });
  }

  #slots(): Message {
    return { $case: 'slots', value: { free: this.#free, received: this.#received } };
  }

  #report(reports: readonly Report[]): void {
    if (!this.#greeted) return;
    for (const together of messagesOf(reports)) this.#send({ $case: 'reports', value: { reports: together } });
  }

  /** What is sent while there is no stream is made up for when there is one, or asked again. */
  #send(kind: Message): void {
    const call = this.#stream?.call;
    if (call === undefined || (!this.#greeted && kind.$case !== 'hello')) return;
    if (!call.destroyed && !call.writableEnded) call.write({ kind });
  }
}

function statesOf(messages: Parameters<typeof stateOfMessage>[0][]): readonly LeaseState[] {
  return messages.map(stateOfMessage).filter((state) => state !== null);
}
