import { isEndedStatus } from '@heddle/contracts-messages';
import type {
  JobId,
  JobMessage,
  JobOutput,
  JobProgress,
  JobStatus,
  JobView,
  LiveItem,
} from '@heddle/contracts-messages';
import type { EventStream } from './event-stream.js';
import { previewFrame, progressFrame, statusFrame } from './frames.js';
import type { Preview } from './frames.js';
import { JobOutputs } from './job-outputs.js';
import { REAL_PACE, Throttle } from './throttle.js';
import type { Pace } from './throttle.js';

/** decisions, Events: at most about two progress and two preview frames per second and job. */
const FRAME_INTERVAL_MS = 500;

/** Order of what one attempt reports: a newer fence first, then a higher sequence. */
interface ReportNumber {
  readonly fence: number;
  readonly sequence: number;
}
export type NumberedPreview = Preview & ReportNumber;

export const isNewer = (a: ReportNumber, b: ReportNumber): boolean =>
  a.fence > b.fence || (a.fence === b.fence && a.sequence > b.sequence);
const BEFORE_ALL: ReportNumber = { fence: 0, sequence: 0 };

/**
 * State of one watched job in this process, and the streams that watch it. Items may arrive in any order and
 * repeatedly: events apply by version, progress and previews by (fence, sequence), and a gap requires a new snapshot.
 */
export class JobChannel {
  readonly jobId: JobId;
  readonly streams = new Set<EventStream>();
  readonly #outputs: JobOutputs;
  readonly #paced: Record<'progress' | 'preview', Throttle>;
  #version = 0;
  /** The highest version seen; above `#version` an event is missing. */
  #heardVersion = 0;
  #fence = 0;
  #status: JobStatus = 'queued';
  #queuePosition: number | null = null;
  #progress: JobProgress | null = null;
  #progressNumber: ReportNumber = BEFORE_ALL;
  #preview: Preview | null = null;
  #previewNumber: ReportNumber = BEFORE_ALL;
  /** The newest frame of each kind as bytes, built once for all streams. */
  readonly #bytes: Partial<Record<'status' | 'progress' | 'preview', Buffer>> = {};

  constructor(view: JobView, preview: NumberedPreview | null, pace: Pace = REAL_PACE) {
    this.jobId = view.id;
    this.#outputs = new JobOutputs({ id: view.id, expiresAt: view.expiresAt });
    this.#paced = {
      progress: new Throttle(FRAME_INTERVAL_MS, pace, () => this.#send('progress')),
      preview: new Throttle(FRAME_INTERVAL_MS, pace, () => this.#send('preview')),
    };
    this.takeSnapshot(view);
    if (preview !== null && preview.fence >= this.#fence && !this.isTerminal && view.status !== 'queued') {
      this.#preview = preview;
      this.#previewNumber = preview;
    }
  }

  get status(): JobStatus {
    return this.#status;
  }

  get isTerminal(): boolean {
    return isEndedStatus(this.#status);
  }

  /** True if a committed event is known that has not been received. */
  get hasHole(): boolean {
    return this.#heardVersion > this.#version && !this.isTerminal;
  }

  /** Applies a live item; false if an earlier event is missing, so that a snapshot must be read. */
  take(item: LiveItem): boolean {
    if (this.isTerminal) return true;
    switch (item.kind) {
      case 'job':
        return this.#takeEvent(item.message);
      case 'progress':
        if (item.fence < this.#fence || !isNewer(item, this.#progressNumber)) return true;
        this.#progressNumber = item;
        this.#fence = item.fence;
        this.#setProgress(item.progress);
        return true;
      case 'preview':
        if (item.fence < this.#fence || !isNewer(item, this.#previewNumber)) return true;
        this.#previewNumber = item;
        this.#fence = item.fence;
        this.#preview = item;
        delete this.#bytes.preview;
        this.#paced.preview.ask();
        return true;
    }
  }

  /** Applies the jobs service's view; one older than the known state changes nothing. */
  takeSnapshot(view: JobView): void {
    if (this.isTerminal || view.version < this.#version) return;
    this.#version = view.version;
    this.#heardVersion = Math.max(this.#heardVersion, view.version);
    this.#fence = Math.max(this.#fence, view.fence);
    for (const output of view.outputs) this.#addOutput(output);
    const { progress } = view;
    // Live progress is newer than the stored one, unless the job has ended or this process missed some.
    if (progress !== null && (isEndedStatus(view.status) || progress.value > (this.#progress?.value ?? -1))) {
      this.#setProgress(progress);
    }
    this.#setStatus(view.status, view.queuePosition);
  }

  setQueuePosition(position: number): void {
    if (this.#status === 'queued') this.#setStatus('queued', position);
  }

  /** Sends a new stream the current state; from then on it gets updates. */
  join(stream: EventStream): void {
    if (!this.isTerminal) stream.write(this.#frame('status'));
    if (this.#progress !== null) stream.write(this.#frame('progress'));
    if (this.#preview !== null && !this.isTerminal) stream.write(this.#frame('preview'));
    this.streams.add(stream);
    this.#sendOutputs(stream);
    if (this.isTerminal) this.#close(stream);
  }

  /** The reader of a stream that was behind has caught up: it gets the newest of each kind. */
  resume(stream: EventStream): void {
    if (!this.streams.has(stream)) return;
    const owed = stream.caughtUp();
    if (owed.status && !this.isTerminal) stream.write(this.#frame('status'));
    if (owed.progress && this.#progress !== null) stream.write(this.#frame('progress'));
    if (owed.preview && this.#preview !== null) stream.write(this.#frame('preview'));
    this.#sendOutputs(stream);
    if (this.isTerminal) this.#close(stream);
  }

  /** No stream watches any more. */
  stop(): void {
    this.#paced.progress.stop();
    this.#paced.preview.stop();
  }

  #takeEvent(message: JobMessage): boolean {
    this.#heardVersion = Math.max(this.#heardVersion, message.version);
    if (message.version <= this.#version) return true;
    if (message.version > this.#version + 1) return false;
    this.#version = message.version;
    this.#fence = Math.max(this.#fence, message.fence);
    if (message.output !== undefined) this.#addOutput(message.output);
    if (message.progress !== undefined) this.#setProgress(message.progress);
    if (message.status !== this.#status) this.#setStatus(message.status, null);
    return true;
  }

  #addOutput(output: JobOutput): void {
    if (!this.#outputs.add(output)) return;
    for (const stream of this.streams) this.#sendOutputs(stream);
  }

  /** `value` never decreases, whatever an attempt reports; an equal snapshot is sent once. */
  #setProgress(progress: JobProgress): void {
    const next = { ...progress, value: Math.max(progress.value, this.#progress?.value ?? 0) };
    const bytes = progressFrame(next);
    if (this.#bytes.progress?.equals(bytes)) return;
    this.#progress = next;
    this.#bytes.progress = bytes;
    this.#paced.progress.ask();
  }

  #setStatus(status: JobStatus, queuePosition: number | null): void {
    if (status === this.#status && queuePosition === this.#queuePosition) return;
    this.#status = status;
    this.#queuePosition = queuePosition;
    delete this.#bytes.status;
    if (!this.isTerminal) {
      // Later streams must not see the preview of a lost attempt.
      if (status === 'queued') this.#preview = null;
      return this.#send('status');
    }
    this.#paced.progress.flush();
    this.#paced.preview.flush();
    for (const stream of this.streams) this.#close(stream);
  }

  #send(kind: 'status' | 'progress' | 'preview'): void {
    if (this.streams.size === 0 || (kind === 'preview' && this.#preview === null)) return;
    const bytes = this.#frame(kind);
    for (const stream of this.streams) {
      if (stream.isBehind) stream.owe(kind);
      else stream.write(bytes);
    }
  }

  #frame(kind: 'status' | 'progress' | 'preview'): Buffer {
    return (this.#bytes[kind] ??=
      kind === 'status'
        ? statusFrame(this.#status, this.#queuePosition)
        : kind === 'progress'
          ? progressFrame(this.#progress!)
          : previewFrame(this.#preview!));
  }

  #sendOutputs(stream: EventStream): void {
    while (!stream.isBehind && stream.outputsSent < this.#outputs.length) {
      stream.write(this.#outputs.frame(stream.outputsSent, stream.context));
      stream.outputsSent += 1;
    }
  }

  /** The terminal status is the last frame (api-v2, Events 2); a stream that is behind gets it when it reads again. */
  #close(stream: EventStream): void {
    if (stream.isBehind || stream.outputsSent < this.#outputs.length) return;
    stream.write(this.#frame('status'));
    stream.end();
    this.streams.delete(stream);
  }
}
