import { Injectable } from '@nestjs/common';
import { RegistryLog } from '../commit-events/registry-log.js';

/** A read's answer as it was sent. */
export interface KeptAnswer {
  readonly body: string;
  readonly tag: string;
  readonly contentType: string;
}

/** Other replicas answer what is committed within 2 s (registry decisions, Cache). */
const LIFE_MS = 1_000;
const MAX_CHARACTERS = 16 * 1024 ** 2;

/** Answers of the last second, so that a popular read costs no query. A change in this process forgets all of them. */
@Injectable()
export class ReadCache {
  readonly #kept = new Map<string, KeptAnswer & { readonly until: number }>();
  #characters = 0;
  #generation = 0;

  constructor(log: RegistryLog) {
    log.onCommitted(() => this.changed());
  }

  /** Changes with every change in this process: an answer from before one is not kept. */
  get generation(): number {
    return this.#generation;
  }

  find(key: string, now = Date.now()): KeptAnswer | null {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.until > now ? kept : null;
  }

  /** `generation`: that of before the answer was read. */
  keep(key: string, answer: KeptAnswer, generation: number, now = Date.now()): void {
    if (generation !== this.#generation) return;
    const characters = key.length + answer.body.length;
    if (this.#characters + characters > MAX_CHARACTERS) this.#forget();
    this.#characters += characters;
    this.#kept.set(key, { ...answer, until: now + LIFE_MS });
  }

  changed(): void {
    this.#generation++;
    this.#forget();
  }

  #forget(): void {
    this.#kept.clear();
    this.#characters = 0;
  }
}
