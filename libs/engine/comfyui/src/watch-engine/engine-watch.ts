import { createHash } from 'node:crypto';
import type { EngineLink } from '../engine-link.js';

/** What became of the engine. */
export type EngineNews =
  /** It does not answer; its last catalogue still says what it could do. */
  | { readonly kind: 'away'; readonly reason: string }
  /** It answers again; perhaps as another process. */
  | { readonly kind: 'back'; readonly environment: string }
  /** Its node classes, the first time and whenever they changed, as the text of `/object_info`. */
  | { readonly kind: 'catalogue'; readonly environment: string; readonly objectInfo: string };

/** An engine that does not answer is looked at more often. */
const AWAY_MS = 5_000;

/**
 * Looks at an engine when its connection comes back and now and then, and reports what changed: nothing twice, nothing that
 * stayed. One look is at a time; a look that is asked for meanwhile follows.
 */
export class EngineWatch {
  readonly #link: EngineLink;
  readonly #intervalMs: number;
  readonly #report: (news: EngineNews) => void;
  readonly #tidy: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #closed = false;
  #isAway = false;
  #hash = '';

  /** `tidy` is called once an interval. */
  constructor(link: EngineLink, intervalMs: number, report: (news: EngineNews) => void, tidy: () => Promise<void>) {
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

  /** Looks now, e.g. because a graph names a class that the catalogue lacks; resolves when the look is done. */
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
        this.#missed(error instanceof Error ? error.message : 'it does not answer');
      }
    } while (this.#again && !this.#closed);
    await this.#tidy().catch(() => undefined);
    const pauseMs = this.#isAway ? Math.min(this.#intervalMs, AWAY_MS) : this.#intervalMs;
    if (!this.#closed) this.#timer = setTimeout(() => void this.refresh(), pauseMs);
  }

  #seen(objectInfo: string): void {
    if (this.#closed) return;
    const environment = `comfyui/${this.#link.version ?? 'unknown'}`;
    if (this.#isAway) this.#report({ kind: 'back', environment });
    this.#isAway = false;
    const hash = createHash('sha256').update(objectInfo).digest('base64');
    if (hash === this.#hash) return;
    this.#hash = hash;
    this.#report({ kind: 'catalogue', environment, objectInfo });
  }

  #missed(reason: string): void {
    if (this.#closed || this.#isAway) return;
    this.#isAway = true;
    this.#report({ kind: 'away', reason });
  }
}
