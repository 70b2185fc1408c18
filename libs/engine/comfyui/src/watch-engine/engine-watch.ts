import { createHash } from 'node:crypto';
import { EngineCallError } from '../calls/call-error.js';
import type { EngineLink } from '../engine-link.js';

/** A change of the engine's state. */
export type EngineChange =
  /** Its last catalogue still applies. `answers`: a server answers at its address, but not as an engine does. */
  | { readonly kind: 'away'; readonly reason: string; readonly answers: boolean }
  /** It answers again, perhaps as another process. */
  | { readonly kind: 'back'; readonly environment: string }
  /** Its node classes, initially and after each change, as the text of `/object_info`. */
  | { readonly kind: 'catalogue'; readonly environment: string; readonly objectInfo: string };

/** Poll interval while the engine does not answer. */
const AWAY_MS = 5_000;

/**
 * Checks an engine when its connection returns and at intervals, and reports changes only. One check at a time; a check
 * requested meanwhile follows.
 */
export class EngineWatch {
  readonly #link: EngineLink;
  readonly #intervalMs: number;
  readonly #report: (change: EngineChange) => void;
  readonly #tidy: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #closed = false;
  #away: { readonly answers: boolean } | null = null;
  #hash = '';

  /** `tidy` is called once per interval. */
  constructor(link: EngineLink, intervalMs: number, report: (change: EngineChange) => void, tidy: () => Promise<void>) {
    this.#link = link;
    this.#intervalMs = intervalMs;
    this.#report = report;
    this.#tidy = tidy;
    link.listen({
      opened: () => void this.refresh(),
      closed: () => void this.refresh(),
      event: () => undefined,
    });
    void this.refresh();
  }

  /** Checks now, e.g. because a graph names a class that the catalogue lacks; resolves when the check is done. */
  refresh(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    if (this.#looking !== null) {
      this.#again = true;
      return this.#looking;
    }
    this.#looking = this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    do {
      this.#again = false;
      try {
        this.#seen(await this.#link.refresh());
      } catch (error) {
        this.#missed(
          error instanceof Error ? error.message : 'it does not answer',
          error instanceof EngineCallError && error.failure === 'unreadable',
        );
      }
    } while (this.#again && !this.#closed);
    await this.#tidy().catch(() => undefined);
    const pauseMs = this.#away !== null ? Math.min(this.#intervalMs, AWAY_MS) : this.#intervalMs;
    if (!this.#closed) this.#timer = setTimeout(() => void this.refresh(), pauseMs);
  }

  #seen(objectInfo: string): void {
    if (this.#closed) return;
    const environment = `comfyui/${this.#link.version ?? 'unknown'}`;
    if (this.#away !== null) this.#report({ kind: 'back', environment });
    this.#away = null;
    const hash = createHash('sha256').update(objectInfo).digest('base64');
    if (hash === this.#hash) return;
    this.#hash = hash;
    this.#report({ kind: 'catalogue', environment, objectInfo });
  }

  #missed(reason: string, answers: boolean): void {
    if (this.#closed || (this.#away !== null && this.#away.answers === answers)) return;
    this.#away = { answers };
    this.#report({ kind: 'away', reason, answers });
  }
}
