import type { EngineObserver } from '@heddle/engine-port';

/** Tells one run's observer when its engine stops and begins to answer: each change once, and nothing of an engine that is there. */
export class AwayTeller {
  #away = false;

  constructor(private readonly observer: EngineObserver) {}

  tell(away: boolean): void {
    if (away === this.#away) return;
    this.#away = away;
    this.observer.engineAway?.(away);
  }
}
