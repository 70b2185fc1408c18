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
import { PROTOCOL_VERSION, VERSION_WITHOUT_POOL } from './protocol-version.js';
import { messagesOf, reportMessage } from './report-messages.js';
import { WorkChannel } from './work-channel.js';
import type { OpenWorkStream, WorkTargets } from './work-channel.js';

/** Time-out of a heartbeat or hand-back. The next heartbeat asks again, without the leases that were handed back. */
const ANSWER_MS = 4_000;
/** Time-out of Welcome; then the worker connects to another replica. */
const WELCOME_MS = 5_000;
const FIRST_PAUSE_MS = 50;
/** A restarted service has its workers back within this time. */
const MAX_PAUSE_MS = 1_000;
const STREAM_END_TIMEOUT_MS = 2_000;
/** Limit on messages that wait for a slow connection. Beyond it, progress and previews are dropped. */
const MAX_BACKLOG = 16;

interface RemoteWorkOptions extends WorkTargets {
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
}

/** Connects a worker to the jobs service in other processes. */
export class RemoteWork implements WorkPort {
  readonly #sessions = new Set<RemoteSession>();

  constructor(private readonly options: RemoteWorkOptions) {}

  /** Null while every session has a stream with a Welcome; else the reason. */
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

/** A request without an answer yet */
interface Asked<T> {
  readonly kind: Message;
  resolve(answer: T): void;
}

const nameOf = ({ jobId, fence }: LeaseKey): string => `${jobId}:${fence}`;

/**
 * Keeps one stream open, and opens another one when it breaks. A new stream begins with the worker's leases, free slots and
 * unacknowledged reports, so any replica can continue.
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
  #heartbeatsSent = 0;
  #version = PROTOCOL_VERSION;
  #trouble = 'not connected yet';
  /** A stream was greeted before. */
  #wasOpen = false;
  #saidWaiting = false;

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
    const sequence = ++this.#heartbeatsSent;
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
    const late = setTimeout(() => stream?.call.cancel(), STREAM_END_TIMEOUT_MS);
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
      // A greeted stream resets the backoff: the service ends old streams on purpose.
      pauseMs = wasGreeted ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
      await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs one stream to its end. Resolves with true if the service sent Welcome. */
  async #serve(channel: WorkChannel): Promise<boolean> {
    const stream = channel.open((message) => this.#take(message));
    this.#stream = stream;
    this.#received = 0;
    const held = [...this.#held.values()].map(keyMessage);
    this.#send({ $case: 'hello', value: { protocolVersion: this.#version, ...this.#worker, held } });
    const silent = setTimeout(() => {
      if (!this.#greeted) stream.call.cancel();
    }, WELCOME_MS);
    const { code, details } = await stream.over;
    clearTimeout(silent);
    // A service of the build before pools: its workers are of the pool of their token (docs/decisions/0023).
    const isOlder = code === status.FAILED_PRECONDITION && this.#version === PROTOCOL_VERSION;
    this.#version = isOlder ? VERSION_WITHOUT_POOL : PROTOCOL_VERSION;
    const wasGreeted = this.#greeted;
    this.#greeted = false;
    this.#stream = null;
    this.#trouble = `${stream.url}: ${status[code]} ${details}`;
    if (code !== status.OK && !this.#closing.signal.aborted) {
      this.#logBroken(wasGreeted, { url: stream.url, status: status[code], details });
    }
    return wasGreeted;
  }

  /** At the start of a cluster the jobs service may be the last to listen: one line says that it is awaited. */
  #logBroken(wasGreeted: boolean, facts: Readonly<Record<string, unknown>>): void {
    this.#wasOpen ||= wasGreeted;
    if (this.#wasOpen) this.#options.logger?.warn(facts, 'the stream to jobs broke');
    else if (!this.#saidWaiting) this.#options.logger?.info(facts, 'waiting for the jobs service');
    this.#saidWaiting = true;
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

  /** Sends the request again on each new stream, until its time-out. */
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

  /** Drops messages while no stream is open: the next stream sends the state and the open requests again. */
  #send(kind: Message): void {
    const call = this.#stream?.call;
    if (call === undefined || (!this.#greeted && kind.$case !== 'hello')) return;
    if (!call.destroyed && !call.writableEnded) call.write({ kind });
  }
}

function statesOf(messages: Parameters<typeof stateOfMessage>[0][]): readonly LeaseState[] {
  return messages.map(stateOfMessage).filter((state) => state !== null);
}
