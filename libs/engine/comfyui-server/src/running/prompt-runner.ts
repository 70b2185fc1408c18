import type { QueuedPrompt } from '../prompts/queued-prompt.js';
import type { PromptEnding } from './prompt-ending.js';
import type { PromptStage } from './prompt-stage.js';

/** Executes prompts one after the other. Implementations: the built-in engine, and scripts in tests. */
export interface PromptRunner {
  /** Reports events to the stage; rejects only on a bug. Aborting `signal` interrupts the prompt. */
  run(prompt: QueuedPrompt, stage: PromptStage, signal: AbortSignal): Promise<PromptEnding>;
}
