import type { EngineObserver } from '@heddle/engine-port';

/** Notifies one run's observer when its engine stops and begins to answer again: once per change. */
export class AwayNotifier {
  #away = false;

  constructor(private readonly observer: EngineObserver) {}

  notify(away: boolean): void {
    if (away === this.#away) return;
    this.#away = away;
    this.observer.engineAway?.(away);
  }
}
