import type { JobOutput } from '@heddle/contracts-messages';
import type { RenderContext } from '../render-wire/render-context.js';
import { outputUrlExpiresAt } from '../render-wire/job-wire.js';
import type { OutputJob } from '../render-wire/job-wire.js';
import { outputFrame } from './frames.js';

interface Rendered {
  readonly base: string;
  readonly urlExpiresAt: string | null;
  readonly bytes: Buffer;
}

/** The outputs of one watched job in commit order, each rendered once for all viewers. */
export class JobOutputs {
  readonly #outputs: JobOutput[] = [];
  readonly #keys = new Set<string>();
  readonly #rendered: Rendered[] = [];

  constructor(private readonly job: OutputJob) {}

  get length(): number {
    return this.#outputs.length;
  }

  /** False if already known: outputs may be reported more than once. */
  add(output: JobOutput): boolean {
    if (this.#keys.has(output.key)) return false;
    this.#keys.add(output.key);
    this.#outputs.push(output);
    return true;
  }

  /** A frame's links depend on the viewer's address, which is nearly always the same, and on the second. */
  frame(at: number, context: RenderContext): Buffer {
    const known = this.#rendered[at];
    const { base } = context;
    const expiresAt = outputUrlExpiresAt(this.job, context);
    if (known?.base === base && known.urlExpiresAt === expiresAt) return known.bytes;
    const bytes = outputFrame(this.#outputs[at]!, this.job, context);
    this.#rendered[at] = { base, urlExpiresAt: expiresAt, bytes };
    return bytes;
  }
}
