import type { EngineCalls } from '../calls/engine-calls.js';
import { cancelPrompt } from './cancel-prompt.js';

const MAX_PROMPTS = 1_000;

/**
 * Prompts that no run waits for but the engine may still run: they are canceled, again whenever the engine returns.
 */
export class AbandonedPrompts {
  readonly #calls: EngineCalls;
  readonly #promptIds = new Set<string>();

  constructor(calls: EngineCalls) {
    this.#calls = calls;
  }

  add(promptId: string): void {
    if (this.#promptIds.size < MAX_PROMPTS) this.#promptIds.add(promptId);
    void this.#cancel(promptId);
  }

  /** The engine answers again. */
  async retry(): Promise<void> {
    for (const promptId of [...this.#promptIds]) await this.#cancel(promptId);
  }

  async #cancel(promptId: string): Promise<void> {
    try {
      await cancelPrompt(this.#calls, promptId);
      this.#promptIds.delete(promptId);
    } catch {
      // Kept for the engine's return; a restarted engine no longer knows it.
    }
  }
}
