import { loggedEndOf, surfaceOf, SURFACES } from '@heddle/contracts-messages';
import type { CapturedLog, JobLease, LoggedEnd, WorkerOutcome } from '@heddle/contracts-messages';
import type { EngineObserver } from '@heddle/engine-port';
import { LogText } from './log-text.js';

type FinishedNode = Parameters<EngineObserver['nodeFinished']>[0];

/** Names from a client or an engine that would break their line or move the cursor of a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The execution log of one attempt (accounts, Logs): a head line, a line for each start, end or cache hit of a node, the
 * lines of the engine, and the error with its traceback.
 */
export class AttemptLog {
  readonly #lease: JobLease;
  readonly #text: LogText;

  constructor(lease: JobLease, environment: string) {
    this.#lease = lease;
    this.#text = new LogText(lease.credentials);
    const { jobId, attempt, nodesTotal } = lease;
    this.#line(`job ${jobId}, attempt ${attempt}, engine ${shown(environment)}, ${nodesTotal} nodes`);
  }

  /** Null on a surface without logs: nothing is collected there. */
  static for(lease: JobLease, environment: string): AttemptLog | null {
    const isCaptured = SURFACES[surfaceOf(lease.deploymentId)].logs === 'captured';
    return isCaptured ? new AttemptLog(lease, environment) : null;
  }

  nodeStarted(nodeId: string, classType: string): void {
    this.#line(`${nodeText(nodeId, classType)} started`);
  }

  nodeFinished({ nodeId, classType, startedAt, endedAt, cached }: FinishedNode): void {
    const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
    const end = cached ? 'cached: the result of an earlier run is used' : `finished in ${seconds.toFixed(3)} s`;
    this.#line(`${nodeText(nodeId, classType)} ${end}`);
  }

  /** As the engine wrote it. */
  engine(text: string): void {
    this.#text.write(text);
  }

  /** Null: an attempt that ends like this has no log. */
  close(outcome: WorkerOutcome): CapturedLog | null {
    const endedAs = endOf(outcome);
    if (endedAs === null) return null;
    if (outcome.kind === 'failed') this.#error(outcome);
    else this.#line('succeeded');
    const { jobId, fence, workerId } = this.#lease;
    return { jobId, fence, workerId, ...this.#text.read(), complete: true, endedAs };
  }

  #error({ code, message, nodeId, classType, traceback }: Extract<WorkerOutcome, { kind: 'failed' }>): void {
    const place = nodeId === null ? '' : ` in ${nodeText(nodeId, classType ?? 'unknown class')}`;
    this.#line(`failed with ${code}${place}`);
    this.#block(message);
    this.#block(traceback ?? '');
  }

  #block(text: string): void {
    this.#text.write(text);
    if (!this.#text.endsLine) this.#text.write('\n');
  }

  #line(text: string): void {
    const start = this.#text.endsLine ? '' : '\n';
    this.#text.write(`${start}${new Date().toISOString()} ${text}\n`);
  }
}

function endOf(outcome: WorkerOutcome): LoggedEnd | null {
  if (outcome.kind === 'failed') return loggedEndOf('failed', outcome);
  return outcome.kind === 'succeeded' ? 'succeeded' : null;
}

function nodeText(nodeId: string, classType: string): string {
  return `node ${shown(nodeId)} (${shown(classType)})`;
}

function shown(name: string): string {
  return UNPRINTABLE.test(name) ? JSON.stringify(name) : name;
}
