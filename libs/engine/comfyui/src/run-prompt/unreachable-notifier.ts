import type { EngineObserver } from '@heddle/engine-port';

/** Notifies one run's observer when its engine stops and begins to answer again: once per change. */
export class UnreachableNotifier {
  #isUnreachable = false;

  constructor(private readonly observer: EngineObserver) {}

  notify(isUnreachable: boolean): void {
    if (isUnreachable === this.#isUnreachable) return;
    this.#isUnreachable = isUnreachable;
    this.observer.engineAway?.(isUnreachable);
  }
}
