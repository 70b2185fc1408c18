import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FINDING_SEVERITIES, type PackageFinding } from '@heddle/contracts-registry';
import { unfrozenTime } from '../unfrozen-time.js';
import { InspectedExtraction, type Inspection, type InspectionReport, type InspectionTask } from './inspection.js';

/** Built code, also when this file is run from its source. */
const ENTRY = fileURLToPath(new URL('../../dist/inspect-package/inspection-thread.js', import.meta.url));

/** Bounds of the inspection of one package (registry decisions, Extraction). */
const INSPECTION_MS = 20_000;
/** Beside it, the parser's memory grows to 192 MiB at most; a file for which it would grow above 144 is not read. */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
const TICK_MS = 250;
/** How long an idle thread waits for the next package before it ends and frees its memory. */
const IDLE_MS = 5_000;

interface Limits {
  readonly milliseconds?: number;
  /** Rejects with a `LongInspectionError` once the inspection itself takes longer, whatever it has found. */
  readonly patienceMs?: number;
  /** Each lane has a thread of its own: what takes long in one does not hold up the other. */
  readonly lane?: 'quick' | 'long';
  readonly stop?: AbortSignal;
}

/** The package takes longer than the caller waits. */
export class LongInspectionError extends Error {
  override readonly name = 'LongInspectionError';
}

/**
 * Scans a package and extracts its node classes, in a thread: one package of a lane at a time, the others wait. `path` is the file of
 * an archive that `judgeArchive` let pass. Where a bound is reached, the inspection says so and has what was found until
 * then. Rejects if the file cannot be read, or once `stop` is aborted. The first call starts the thread and loads the parser.
 */
export function inspectPackage(
  path: string,
  { milliseconds = INSPECTION_MS, patienceMs = Infinity, lane = 'quick', stop }: Limits = {},
): Promise<Inspection> {
  return threads[lane].next({ path, milliseconds }, patienceMs, stop);
}

/** One thread that outlives its tasks for a while. */
class InspectionThread {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();

  next(task: InspectionTask, patienceMs: number, stop?: AbortSignal): Promise<Inspection> {
    const inspection = this.last.then(() => this.inspect(task, patienceMs, stop));
    this.last = inspection.catch(() => undefined);
    return inspection;
  }

  private async inspect(task: InspectionTask, patienceMs: number, stop?: AbortSignal): Promise<Inspection> {
    stop?.throwIfAborted();
    clearTimeout(this.idle);
    const worker = (this.worker ??= new Worker(ENTRY, { resourceLimits: HEAP }));
    worker.ref();
    return await new Promise<Inspection>((resolve, reject) => {
      let extraction: InspectedExtraction | undefined;
      const settle = (settled: () => void, isUsable: boolean): void => {
        clearInterval(timer);
        stop?.removeEventListener('abort', leave);
        withoutListeners(worker);
        if (isUsable) this.wait(worker);
        else this.end(worker);
        settled();
      };
      const cut = (reason: string): void =>
        settle(
          () =>
            resolve({ findings: [unscanned(reason)], extraction: extraction ?? InspectedExtraction.failed(reason) }),
          false,
        );
      const leave = (): void => settle(() => reject(stop?.reason as Error), false);
      stop?.addEventListener('abort', leave, { once: true });
      const start = unfrozenTime();
      let begun = Infinity;
      const timer = setInterval(
        () => {
          const now = unfrozenTime();
          if (now - begun >= patienceMs) return settle(() => reject(new LongInspectionError()), false);
          if (now - start < task.milliseconds) return;
          cut(`The inspection takes more than ${task.milliseconds / 1000} s.`);
        },
        Math.min(TICK_MS, task.milliseconds),
      );
      worker.on('message', (report: InspectionReport) => {
        if (report.kind === 'begun') begun = unfrozenTime();
        else if (report.kind === 'extracted') extraction = new InspectedExtraction(report.extraction);
        else if (report.kind === 'gave_up') cut('The parser of Python gave up on the contents of the package.');
        else if (report.kind === 'failed') settle(() => reject(new Error(report.message)), false);
        else {
          const { findings, isUsable } = report;
          settle(() => resolve({ findings, extraction: extraction ?? InspectedExtraction.failed('') }), isUsable);
        }
      });
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') cut('The inspection takes more than 256 MiB of memory.');
        else settle(() => reject(error), false);
      });
      worker.on('exit', () => cut('The inspection ended early.'));
      worker.postMessage(task);
    });
  }

  private wait(worker: Worker): void {
    worker.unref();
    this.idle = setTimeout(() => this.end(worker), IDLE_MS);
    this.idle.unref();
    // An idle thread that ends by itself is replaced by the next task.
    worker.once('error', () => this.end(worker)).once('exit', () => this.end(worker));
  }

  private end(worker: Worker): void {
    clearTimeout(this.idle);
    if (this.worker === worker) this.worker = undefined;
    withoutListeners(worker);
    // What it reports from here on counts for nothing; without a listener an error would end the process.
    worker.on('error', () => undefined);
    void worker.terminate();
  }
}

const threads = { quick: new InspectionThread(), long: new InspectionThread() };

/** Node has listeners of its own on a worker: without them it passes no messages on. */
function withoutListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

/** A package that was not scanned to its end must not pass for one without findings. */
function unscanned(reason: string): PackageFinding {
  return {
    issue_type: 'archive',
    severity: FINDING_SEVERITIES.archive,
    file_path: '',
    line_number: 0,
    code_snippet: '',
    message: `The package was not scanned. ${reason} Split it, or leave out files that no node needs.`,
    scanner: 'heddle',
  };
}
