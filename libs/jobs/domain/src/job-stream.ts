import { UndecodableEvent } from '@heddle/event-codec';
import { evolve } from './evolve.js';
import { decodeJobEvent, readsJobEvent } from './job.codec.js';
import { initial, isEndedStatus } from './job.state.js';
import type { JobState, VisibleJob } from './job.state.js';

/** A stored event as far as a fold needs it. */
export interface StoredJobEvent {
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly workerSequence: number | null;
  readonly recordedAt: string;
  /** Null if the payload was removed. */
  readonly data: string | null;
}

/** Why a stored event cannot belong where it stands. */
export interface StreamFault {
  readonly fault: 'fold' | 'undecodable';
  readonly message: string;
}

/** Result of folding a job's stored events. */
export type StreamOutcome =
  | { readonly is: 'visible'; readonly state: VisibleJob }
  /** It was purged, so the read model must not contain it. */
  | { readonly is: 'purged' }
  /** A payload was removed without a purge: its rows cannot be checked. */
  | { readonly is: 'redacted' }
  /** An event is unreadable: its rows cannot be checked. */
  | { readonly is: 'unknown' };

/** Folds the stored events of one job, in order of their versions, and reports what no job can have. */
export class JobStream {
  #version = 0;
  #state: JobState = initial;
  /** An event is unusable. */
  #unknown = false;
  /** A payload was removed: only a purge explains that. */
  #redacted = false;
  #lastType = '';
  #status: VisibleJob['status'] | null = null;

  get version(): number {
    return this.#version;
  }

  get state(): JobState {
    return this.#state;
  }

  /** The status after the last event. A purged job keeps the status of its end. Null if the status cannot be known. */
  get status(): VisibleJob['status'] | null {
    return this.#unknown || this.#redacted ? null : this.#status;
  }

  /** Null if the event is sound. One unusable event makes the rest of its job unknown: only one fault is reported. */
  take(event: StoredJobEvent): StreamFault | null {
    const wasUnknown = this.#unknown;
    const fault = this.#judge(event);
    this.#version = event.version;
    this.#lastType = event.type;
    if (fault !== null) this.#unknown = true;
    return wasUnknown ? null : fault;
  }

  outcome(): StreamOutcome {
    const isPurged = this.#redacted && this.#lastType === 'JobPurged';
    if (this.#unknown) return { is: 'unknown' };
    if (this.#redacted && !isPurged) return { is: 'redacted' };
    const state = this.#state;
    if (isPurged || state.status === 'purged' || state.status === 'unsubmitted') return { is: 'purged' };
    return { is: 'visible', state };
  }

  #judge(event: StoredJobEvent): StreamFault | null {
    const { version, type, schemaVersion, data } = event;
    const follows = this.#version;
    const isNext = version === follows + 1;
    if (data === null) this.#redacted = true;
    if (!readsJobEvent(type, schemaVersion))
      return undecodable(`this build cannot read ${type} of schema version ${schemaVersion}`);
    if (!isNext) return { fault: 'fold', message: `the event follows version ${follows} of its job` };
    if (this.#unknown || this.#redacted || data === null) return null;
    if (version === 1 ? type !== 'JobSubmitted' : type === 'JobSubmitted' || !mayFollow(this.#state, type))
      return {
        fault: 'fold',
        message: `${type} cannot be version ${version} of a job that is ${this.#state.status}`,
      };
    return this.#evolve(event, data);
  }

  #evolve({ type, schemaVersion, recordedAt, workerSequence }: StoredJobEvent, data: string): StreamFault | null {
    try {
      const event = decodeJobEvent(type, schemaVersion, data);
      const state = evolve(this.#state, { event, recordedAt, workerSequence });
      this.#state = state;
      if (state.status !== 'purged' && state.status !== 'unsubmitted') this.#status = state.status;
      return null;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return error instanceof UndecodableEvent ? undecodable(message) : { fault: 'fold', message };
    }
  }
}

function undecodable(message: string): StreamFault {
  return { fault: 'undecodable', message };
}

/** Only the purge may follow the end of a job. */
function mayFollow(state: JobState, type: string): boolean {
  if (state.status === 'unsubmitted' || state.status === 'purged') return false;
  return !isEndedStatus(state.status) || type === 'JobPurged';
}
