import { isTerminalStatus } from '@heddle/contracts-messages';
import type { JobMessage, JobOutput, JobProgress, JobStatus, JobView, LiveItem } from '@heddle/contracts-messages';
import type { EventStream } from './event-stream.js';
import { outputFrame, previewFrame, progressFrame, statusFrame } from './frames.js';
import type { Preview } from './frames.js';

interface Place {
  readonly fence: number;
  readonly sequence: number;
}

const isNewer = (a: Place, b: Place): boolean => a.fence > b.fence || (a.fence === b.fence && a.sequence > b.sequence);
const NOWHERE: Place = { fence: 0, sequence: 0 };

/**
 * What this process knows of one watched job, and the streams that watch it. Items may come in any order and more than
 * once: events apply by version, progress and previews by (fence, sequence), and a hole asks for a new snapshot.
 */
export class JobChannel {
  readonly streams = new Set<EventStream>();
  readonly #jobId: string;
  readonly #outputs: JobOutput[] = [];
  readonly #outputKeys = new Set<string>();
  #version = 0;
  #fence = 0;
  #status: JobStatus = 'queued';
  #queuePosition: number | null = null;
  #progress: JobProgress | null = null;
  #progressPlace: Place = NOWHERE;
  #preview: Preview | null = null;
  #previewPlace: Place = NOWHERE;

  constructor(jobId: string, preview: (Preview & Place) | null) {
    this.#jobId = jobId;
    if (preview !== null) {
      this.#preview = preview;
      this.#previewPlace = preview;
    }
  }

  get status(): JobStatus {
    return this.#status;
  }

  get isTerminal(): boolean {
    return isTerminalStatus(this.#status);
  }

  /** Takes a live item; false when an event is missing before it, so that a snapshot has to be read. */
  take(item: LiveItem): boolean {
    if (this.isTerminal) return true;
    switch (item.kind) {
      case 'job':
        return this.#takeEvent(item.message);
      case 'progress':
        if (item.fence < this.#fence || !isNewer(item, this.#progressPlace)) return true;
        this.#progressPlace = item;
        this.#fence = Math.max(this.#fence, item.fence);
        this.#setProgress(item.progress);
        return true;
      case 'preview':
        if (item.fence < this.#fence || !isNewer(item, this.#previewPlace)) return true;
        this.#previewPlace = item;
        this.#fence = Math.max(this.#fence, item.fence);
        this.#preview = item;
        this.#tell('preview');
        return true;
    }
  }

  /** Takes what the jobs service says; an older view than what is known changes nothing. */
  takeSnapshot(view: JobView): void {
    if (this.isTerminal || view.version < this.#version) return;
    this.#version = view.version;
    this.#fence = Math.max(this.#fence, view.fence);
    for (const output of view.outputs) this.#addOutput(output);
    if (view.progress !== null) this.#setProgress(view.progress);
    this.#setStatus(view.status, view.queuePosition);
  }

  setQueuePosition(position: number | null): void {
    if (this.#status === 'queued' && position !== this.#queuePosition) this.#setStatus('queued', position);
  }

  /** Tells a new stream where the job stands; from then on it gets what is new. */
  join(stream: EventStream): void {
    if (!this.isTerminal) stream.write(statusFrame(this.#status, this.#queuePosition));
    if (this.#progress !== null) stream.write(progressFrame(this.#progress));
    if (this.#preview !== null && !this.isTerminal) stream.write(previewFrame(this.#preview));
    this.#sendOutputs(stream);
    if (this.isTerminal) return this.#close(stream);
    this.streams.add(stream);
  }

  /** The reader of a stream that was behind has caught up: it gets the newest of each kind. */
  resume(stream: EventStream): void {
    stream.caughtUp();
    const { behind } = stream;
    if (behind.status && !this.isTerminal) stream.write(statusFrame(this.#status, this.#queuePosition));
    if (behind.progress && this.#progress !== null) stream.write(progressFrame(this.#progress));
    if (behind.preview && this.#preview !== null && !this.isTerminal) stream.write(previewFrame(this.#preview));
    Object.assign(behind, { status: false, progress: false, preview: false });
    this.#sendOutputs(stream);
    if (this.isTerminal && !stream.isBehind) this.#close(stream);
  }

  #takeEvent(message: JobMessage): boolean {
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
    if (this.#outputKeys.has(output.key)) return;
    this.#outputKeys.add(output.key);
    this.#outputs.push(output);
    for (const stream of this.streams) if (!stream.isBehind) this.#sendOutputs(stream);
  }

  /** `value` never falls, whatever an attempt reports; an equal snapshot is told once. */
  #setProgress(progress: JobProgress): void {
    const value = Math.max(progress.value, this.#progress?.value ?? 0);
    const next = { ...progress, value };
    if (this.#progress !== null && JSON.stringify(next) === JSON.stringify(this.#progress)) return;
    this.#progress = next;
    this.#tell('progress');
  }

  #setStatus(status: JobStatus, queuePosition: number | null): void {
    if (status === this.#status && queuePosition === this.#queuePosition) return;
    this.#status = status;
    this.#queuePosition = queuePosition;
    if (!this.isTerminal) return this.#tell('status');
    this.#preview = null;
    for (const stream of this.streams) {
      if (stream.isBehind) stream.behind.status = true;
      else this.#close(stream);
    }
  }

  #tell(kind: 'status' | 'progress' | 'preview'): void {
    if (this.streams.size === 0) return;
    const bytes =
      kind === 'status'
        ? statusFrame(this.#status, this.#queuePosition)
        : kind === 'progress'
          ? progressFrame(this.#progress!)
          : previewFrame(this.#preview!);
    for (const stream of this.streams) {
      if (stream.isBehind) stream.behind[kind] = true;
      else stream.write(bytes);
    }
  }

  #sendOutputs(stream: EventStream): void {
    while (!stream.isBehind && stream.outputsSent < this.#outputs.length) {
      stream.write(outputFrame(this.#outputs[stream.outputsSent]!, this.#jobId, stream.context));
      stream.outputsSent += 1;
    }
  }

  /** The terminal status is the last frame (api-v2, Events 2), after every output. */
  #close(stream: EventStream): void {
    if (stream.outputsSent < this.#outputs.length) {
      this.streams.add(stream);
      return;
    }
    stream.write(statusFrame(this.#status, null));
    stream.end();
    this.streams.delete(stream);
  }
}
