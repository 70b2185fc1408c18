import type { Answerable } from '../http/json-text.js';

/** Why a prompt is refused, in the engine's format. */
export interface PromptError {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Answerable;
}

export type PromptVerdict =
  | {
      readonly kind: 'accepted';
      /** Output nodes that will run. */
      readonly outputs: readonly string[];
      /** Errors of the other outputs, which are left out. */
      readonly nodeErrors: Answerable;
    }
  | { readonly kind: 'refused'; readonly error: PromptError; readonly nodeErrors: Answerable }
  /** The engine's own code raises: 500. */
  | { readonly kind: 'raised' };

/** The part of a request body to check. */
export interface CheckedPrompt {
  /** The `prompt` member as JSON text. */
  readonly text: Buffer;
  /** Only these output nodes are requested; null for all. */
  readonly targets: readonly string[] | null;
}

/**
 * Validates prompts. Implementations: with a catalogue of node classes, and a test engine's that accepts everything.
 */
export type PromptCheck = (prompt: CheckedPrompt) => PromptVerdict;
