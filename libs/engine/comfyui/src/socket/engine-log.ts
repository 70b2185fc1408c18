import type { EngineCalls } from '../calls/engine-calls.js';
import { at, parseJson, textAt } from '../calls/json-shape.js';
import type { PromptEvent } from './engine-event.js';

const LOG_MESSAGE = /^\s*\{\s*"type"\s*:\s*"logs"/;
/** Longer text of one message is cut at its beginning. */
const MAX_TEXT_LENGTH = 256 * 1024;

/** The text of a `logs` message; null for every other message. */
export function readLogMessage(message: string): string | null {
  if (!LOG_MESSAGE.test(message)) return null;
  const entries = at(at(parseJson(message), 'data'), 'entries');
  if (!Array.isArray(entries)) return null;
  return entries
    .map((entry) => textAt(entry, 'm') ?? '')
    .join('')
    .slice(-MAX_TEXT_LENGTH);
}

/**
 * The log of an engine. An engine has one log for its whole process and sends it to all subscribers (engine reference, section 2).
 * It runs one prompt at a time, so text between the start and the end of a prompt belongs to this prompt. Text between two prompts
 * may belong to prompts of other clients, and is dropped.
 */
export class EngineLog {
  readonly #calls: EngineCalls;
  readonly #clientId: string;
  #isWanted = false;
  #subscribed: Promise<void> | null = null;
  #running: string | null = null;

  constructor(calls: EngineCalls, clientId: string) {
    this.#calls = calls;
    this.#clientId = clientId;
  }

  /** The prompt that the log is about; null between two prompts. */
  get running(): string | null {
    return this.#running;
  }

  /** From now on the engine sends its log. One call per connection; engines without the route send none. */
  async want(): Promise<void> {
    this.#isWanted = true;
    this.#subscribed ??= this.#subscribe();
    await this.#subscribed;
  }

  /** A new connection: the engine ended the subscription with the old one. */
  connected(): void {
    this.#running = null;
    this.#subscribed = this.#isWanted ? this.#subscribe() : null;
  }

  seen(promptId: string, { kind }: PromptEvent): void {
    if (kind === 'began') this.#running = promptId;
    else if (kind === 'ending' || kind === 'over') this.#running = null;
  }

  async #subscribe(): Promise<void> {
    await this.#calls
      .patch('/internal/logs/subscribe', { clientId: this.#clientId, enabled: true })
      .catch(() => undefined);
  }
}
