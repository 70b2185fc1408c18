import { JobStream } from '@heddle/jobs-domain';
import type { FaultList, NumberedEvent } from '@heddle/platform-event-log';

/** An ended job: only its purge may follow, so its state is not kept. */
interface EndedStream {
  readonly version: number;
  /** Its fold is known: it counts. Not so with payloads that were removed or not read. */
  readonly isFolded: boolean;
  readonly outputs: number;
  readonly isPurged: boolean;
}

/** Folds all jobs of a log side by side; only open jobs keep their state. */
export class SourceFold {
  readonly #open = new Map<string, JobStream>();
  readonly #ended = new Map<string, EndedStream>();

  constructor(
    private readonly how: { readonly decodes: boolean; readonly beginsLate: boolean },
    private readonly faults: FaultList,
  ) {}

  take(event: NumberedEvent): void {
    const { seq, eventId, streamId, version, type } = event;
    const at = { seq, eventId, streamId, version };
    const ended = this.#ended.get(streamId);
    const open = this.#open.get(streamId);
    const follows = ended?.version ?? open?.version ?? 0;
    // Of a log that begins behind a checkpoint, the first events of a job may be gone.
    const isFirstSeen = ended === undefined && open === undefined && this.how.beginsLate;
    if (version !== follows + 1 && !isFirstSeen)
      this.faults.add('version_order', `version ${follows + 1} of its job was expected`, at);
    if (ended !== undefined) return this.#afterEnd(event, at);
    const stream = open ?? new JobStream();
    const data = this.how.decodes ? (event.data?.toString('utf8') ?? null) : null;
    const { schemaVersion, workerSeq: workerSequence, recordedAt } = event;
    const fault = stream.take({ version, type, schemaVersion, workerSequence, recordedAt, data });
    const isOrder = version !== follows + 1;
    if (fault !== null && this.how.decodes && !isOrder) this.faults.add(fault.fault, fault.message, at);
    this.#keep(streamId, stream, event.isTerminal);
  }

  /** Jobs and outputs that a read model of this log would show, and jobs that could not be folded for want of payloads. */
  end(): { readonly jobs: number; readonly outputs: number; readonly unfolded: number } {
    let [jobs, outputs, unfolded] = [0, 0, 0];
    for (const ended of this.#ended.values()) {
      if (ended.isPurged) continue;
      if (!ended.isFolded) {
        unfolded += 1;
        continue;
      }
      jobs += 1;
      outputs += ended.outputs;
    }
    for (const stream of this.#open.values()) {
      const outcome = stream.outcome();
      if (outcome.is === 'unknown' || outcome.is === 'redacted') unfolded += 1;
      if (outcome.is !== 'visible') continue;
      jobs += 1;
      outputs += outcome.state.facts.outputs.length;
    }
    return { jobs, outputs, unfolded };
  }

  #keep(streamId: string, stream: JobStream, isTerminal: boolean): void {
    if (!isTerminal) {
      this.#open.set(streamId, stream);
      return;
    }
    const outcome = stream.outcome();
    const isFolded = outcome.is === 'visible';
    const outputs = isFolded ? outcome.state.facts.outputs.length : 0;
    this.#open.delete(streamId);
    this.#ended.set(streamId, { version: stream.version, isFolded, outputs, isPurged: false });
  }

  #afterEnd({ streamId, version, type }: NumberedEvent, at: object): void {
    const isPurged = type === 'JobPurged';
    this.#ended.set(streamId, { ...this.#ended.get(streamId)!, version, isPurged });
    if (!isPurged && this.how.decodes) this.faults.add('fold', `${type} cannot follow the end of a job`, at);
  }
}
