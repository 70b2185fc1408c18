import { setTimeout as delay } from 'node:timers/promises';
import { at } from '../charts/charts.ts';
import type { RunningPrometheus } from '../../tools/charts/prometheus/running-prometheus.ts';

export interface ScaledProcess {
  readonly pid: number | undefined;
  start(): Promise<void>;
  stop(): Promise<unknown>;
}

/**
 * Carries out what a rendered ScaledObject asks for, on processes instead of pods. It scales in at once and stops the
 * worker that has run longest, which is the worst case: KEDA and its HPA wait, and take the newest pod.
 */
export class ScaledWorkers {
  readonly #stopping = new AbortController();
  readonly #looks: Promise<void>;
  readonly #running: ScaledProcess[] = [];
  readonly #ending = new Set<Promise<unknown>>();
  #activeAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly spec: unknown,
    private readonly prometheus: RunningPrometheus,
    private readonly idle: ScaledProcess[],
  ) {
    this.#looks = this.#loop();
  }

  get count(): number {
    return this.#running.length;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looks;
    await Promise.all(this.#ending);
  }

  async #loop(): Promise<void> {
    const pollMs = this.#number('pollingInterval') * 1_000;
    while (!this.#stopping.signal.aborted) {
      await this.#look();
      await delay(pollMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const trigger = at(this.spec, 'triggers.0.metadata') as Readonly<Record<string, string>>;
    const [sample] = await this.prometheus.query(trigger['query']!);
    const value = Number(sample?.value[1] ?? 0);
    if (value > Number(trigger['activationThreshold'])) this.#activeAt = performance.now();
    const isActive = performance.now() - this.#activeAt < this.#number('cooldownPeriod') * 1_000;
    const wanted = Math.max(isActive ? 1 : 0, Math.ceil(value / Number(trigger['threshold'])));
    this.#scale(Math.min(Math.max(wanted, this.#number('minReplicaCount')), this.#number('maxReplicaCount')));
  }

  #scale(wanted: number): void {
    while (this.#running.length < wanted && this.idle.length > 0) {
      const next = this.idle.shift()!;
      this.#running.push(next);
      void next.start();
    }
    while (this.#running.length > wanted) {
      const oldest = this.#running.shift()!;
      const end = oldest.stop().finally(() => {
        this.#ending.delete(end);
        this.idle.push(oldest);
      });
      this.#ending.add(end);
    }
  }

  #number(path: string): number {
    return Number(at(this.spec, path));
  }
}
