import type { QueuedPrompt } from '../prompts/queued-prompt.js';
import type { PromptStage } from './prompt-stage.js';

/** How a prompt ended. */
export type PromptEnding =
  | { readonly kind: 'succeeded' }
  /** `nodeId`: where it stopped; the node that was told last where it is left out. */
  | { readonly kind: 'interrupted'; readonly nodeId?: string | null }
  | {
      readonly kind: 'failed';
      readonly nodeId: string | null;
      /** Python's name of the exception, e.g. `IndexError`. */
      readonly exceptionType: string;
      /** Ends with a line break. */
      readonly message: string;
      readonly traceback: readonly string[];
      readonly currentInputs?: Readonly<Record<string, readonly unknown[]>>;
    };

/** Carries prompts out, one after the other. Implementations: the built-in engine, and scripts in tests. */
export interface PromptRunner {
  /** Tells the stage what happens; rejects only on a bug. Aborting `signal` interrupts the prompt. */
  run(prompt: QueuedPrompt, stage: PromptStage, signal: AbortSignal): Promise<PromptEnding>;
}
