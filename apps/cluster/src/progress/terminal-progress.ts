import { seconds } from './progress.js';
import type { Progress } from './progress.js';

const DRAW_EVERY_MS = 100;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const NAME_WIDTH = 14;

interface ProgressStream {
  write(text: string): unknown;
  readonly columns?: number;
}

interface Step {
  readonly name: string;
  readonly startedAt: number;
  note: string;
  /** Milliseconds; null while in progress. */
  took: number | null;
  failed: boolean;
}

/** One updated line per step, below other output. */
export class TerminalProgress implements Progress {
  readonly #steps: Step[] = [];
  #drawn = 0;
  #frame = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly stream: ProgressStream) {}

  async step<T>(name: string, work: (note: (text: string) => void) => Promise<T>): Promise<T> {
    const step: Step = { name, startedAt: performance.now(), note: '', took: null, failed: true };
    this.#steps.push(step);
    this.#timer ??= setInterval(() => this.#turn(), DRAW_EVERY_MS).unref();
    this.#draw();
    try {
      const made = await work((text) => (step.note = text));
      step.failed = false;
      return made;
    } finally {
      step.took = performance.now() - step.startedAt;
      this.#draw();
      this.#leaveWhatIsOver();
    }
  }

  say(line: string): void {
    this.#erase();
    this.stream.write(`heddle: ${line}\n`);
    this.#draw();
  }

  #turn(): void {
    this.#frame++;
    this.#draw();
  }

  /** When no step is in progress, the lines stay and the next ones follow below. */
  #leaveWhatIsOver(): void {
    if (this.#steps.some(({ took }) => took === null)) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#steps.length = 0;
    this.#drawn = 0;
  }

  #draw(): void {
    const up = this.#drawn > 0 ? `\u001b[${this.#drawn}A` : '';
    const lines = this.#steps.map((step) => `\u001b[2K${this.#line(step)}\n`).join('');
    if (up !== '' || lines !== '') this.stream.write(`${up}\r${lines}`);
    this.#drawn = this.#steps.length;
  }

  #erase(): void {
    if (this.#drawn > 0) this.stream.write(`\u001b[${this.#drawn}A\r\u001b[0J`);
    this.#drawn = 0;
  }

  #line({ name, startedAt, note, took, failed }: Step): string {
    const running = took === null;
    const mark = running ? FRAMES[this.#frame % FRAMES.length] : failed ? '✗' : '✓';
    const time = seconds(took ?? performance.now() - startedAt).padStart(7);
    return `${mark} ${name.padEnd(NAME_WIDTH)} ${time}  ${running ? note : ''}`
      .trimEnd()
      .slice(0, (this.stream.columns ?? 80) - 1);
  }
}
