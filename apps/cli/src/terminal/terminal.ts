import { harmlessJson } from './plain-text.js';
import { textWidth, wrapText } from './text-width.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold';

const CODES: Readonly<Record<Colour, number>> = { green: 32, red: 31, yellow: 33, cyan: 36, dim: 2, bold: 1 };

const LINES_A_WRITE = 500;

export interface TerminalStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface TerminalOptions {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly env: ProcessVariables;
  readonly json: boolean;
}

/** Output of a command: results on standard output, everything else on standard error, bars only on a terminal. */
export class Terminal {
  private drawn = 0;
  private held = false;

  constructor(private readonly options: TerminalOptions) {}

  get json(): boolean {
    return this.options.json;
  }

  /** True if lines can be redrawn: standard error is a terminal, and plain text was not requested. */
  get live(): boolean {
    return this.options.stderr.isTTY === true && !this.json && this.options.env['TERM'] !== 'dumb';
  }

  /** Columns for redrawn lines. */
  get columns(): number {
    return Math.min(200, Math.max(40, this.options.stderr.columns ?? 80));
  }

  /** Columns for result lines; output to a file or pipe is not cut. */
  get width(): number {
    return this.showsResults ? Math.max(40, this.options.stdout.columns ?? 80) : Number.MAX_SAFE_INTEGER;
  }

  /** True if a person reads the result, not a file or pipe. */
  get showsResults(): boolean {
    return this.options.stdout.isTTY === true;
  }

  /** Prints a result line. */
  print(line: string): void {
    this.options.stdout.write(`${line}\n`);
  }

  /** Writes a result as it is. */
  write(text: string): void {
    this.options.stdout.write(text);
  }

  /** Prints a JSON line per object, only with --json. */
  printJson(value: object): void {
    if (this.json) this.print(harmlessJson(value));
  }

  /** The same for many objects, with one write for some of them: a write costs as much as the line. */
  printJsonLines<T>(values: readonly T[], lineOf: (value: T) => object): void {
    if (!this.json) return;
    for (let at = 0; at < values.length; at += LINES_A_WRITE) {
      const some = values.slice(at, at + LINES_A_WRITE);
      this.print(some.map((value) => harmlessJson(lineOf(value))).join('\n'));
    }
  }

  /** Prints a line for the person who watches. */
  say(line: string): void {
    this.erase();
    this.options.stderr.write(`${line}\n`);
  }

  /** The same, broken between words where a terminal would break it within one. */
  sayWrapped(line: string, indent: string): void {
    const { isTTY, columns } = this.options.stderr;
    if (isTTY !== true) return this.say(line);
    for (const part of wrapText(line, Math.max(40, columns ?? 80), indent)) this.say(part);
  }

  /** Replaces the last drawn block; an empty block removes it. */
  draw(lines: readonly string[]): void {
    if (!this.live || this.held) return;
    const cut = lines.map((line) => (textWidth(line) > this.columns ? line.slice(0, this.columns) : line));
    const up = this.drawn > 0 ? `\u001b[${this.drawn}A` : '';
    const text = cut.map((line) => `\u001b[2K${line}\n`).join('');
    this.options.stderr.write(`${up}\r${text}\u001b[0J`);
    this.drawn = cut.length;
  }

  /** Leaves the drawn block in place and continues below it. */
  keep(): void {
    this.drawn = 0;
  }

  /** Asks on a clear screen: nothing is drawn until the answer. */
  ask(question: string): void {
    this.erase();
    this.held = true;
    this.options.stderr.write(question);
  }

  answered(): void {
    this.held = false;
  }

  erase(): void {
    if (this.drawn > 0) this.draw([]);
  }

  paint(colour: Colour, text: string): string {
    const { env, stderr } = this.options;
    const wanted = stderr.isTTY === true && !this.json && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
    return wanted ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
  }
}
