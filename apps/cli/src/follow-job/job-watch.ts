import { hasEnded } from '../api/wire.js';
import type { WireJob, WireOutput, WireProgress } from '../api/wire.js';

/** State of a followed job; stream and polls both update it. */
export interface JobWatchState {
  readonly id: string;
  readonly status: string;
  readonly queuePosition: number | null;
  /** When the job was created, started and completed, as far as known. */
  readonly times: Pick<WireJob, 'createdAt' | 'startedAt' | 'completedAt'>;
  readonly progress: WireProgress | null;
  readonly outputs: readonly WireOutput[];
}

export interface JobObserver {
  status?(state: JobWatchState): void;
  progress?(progress: WireProgress, state: JobWatchState): void;
  output?(output: WireOutput, state: JobWatchState): void;
  /** The live stream was lost and polling continues, or it is back. */
  connection?(live: boolean): void;
  /** The service does not answer, or it does again. */
  away?(isAway: boolean): void;
}

/** Merges polls and frames: nothing is reported twice, nothing goes backwards. */
export class JobWatch {
  private readonly outputs = new Map<string, WireOutput>();
  private status: string;
  private queuePosition: number | null = null;
  private times: JobWatchState['times'] = { createdAt: null, startedAt: null, completedAt: null };
  private progress: WireProgress | null = null;

  constructor(
    private readonly id: string,
    private readonly observer: JobObserver,
  ) {
    this.status = '';
  }

  get state(): JobWatchState {
    const { id, status, queuePosition, times, progress } = this;
    return { id, status, queuePosition, times, progress, outputs: [...this.outputs.values()] };
  }

  /** A complete job from GET: authoritative. */
  snapshot(job: WireJob): void {
    const { createdAt, startedAt, completedAt } = job;
    this.times = { createdAt, startedAt, completedAt };
    for (const output of job.outputs) this.seeOutput(output);
    if (job.progress !== null) this.seeProgress(job.progress);
    this.seeStatus(job.status, job.queuePosition);
  }

  seeStatus(status: string, queuePosition: number | null): void {
    if (hasEnded(this.status)) return;
    if (status === this.status && queuePosition === this.queuePosition) return;
    this.status = status;
    this.queuePosition = queuePosition;
    this.observer.status?.(this.state);
  }

  seeProgress(progress: WireProgress): void {
    const known = this.progress;
    if (known !== null && (progress.value < known.value || sameProgress(progress, known))) return;
    this.progress = progress;
    this.observer.progress?.(progress, this.state);
  }

  seeOutput(output: WireOutput): void {
    if (this.outputs.has(output.id) || this.outputs.size >= 10_000) return;
    this.outputs.set(output.id, output);
    this.observer.output?.(output, this.state);
  }
}

function sameProgress(a: WireProgress, b: WireProgress): boolean {
  return (
    a.value === b.value &&
    a.nodesDone === b.nodesDone &&
    a.currentNode === b.currentNode &&
    a.step === b.step &&
    a.message === b.message
  );
}
