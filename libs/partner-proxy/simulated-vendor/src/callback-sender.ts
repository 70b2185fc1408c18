import { setTimeout as wait } from 'node:timers/promises';
import type { VendorProtocol } from './protocol.js';
import { factsOf } from './task-id.js';
import { lifeOf } from './task-life.js';

/** Tasks whose callbacks are to come. Those beyond lose theirs, which vendors do too: a caller polls. */
const MAX_TASKS = 10_000;
const ATTEMPTS = 3;
const RETRY_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** Calls back on the changes of tasks, in order. A callback is lost when the process ends. */
export class CallbackSender {
  readonly #stop = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  follow(protocol: VendorProtocol, id: string, url: string): void {
    if (this.#underWay.size >= MAX_TASKS || !URL.canParse(url)) return;
    // Ends with the process, or with an attempt that nobody waits for: nothing depends on it.
    const followed = this.#report(protocol, id, new URL(url)).catch(() => undefined);
    this.#underWay.add(followed);
    void followed.finally(() => this.#underWay.delete(followed));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#underWay);
  }

  async #report(protocol: VendorProtocol, id: string, url: URL): Promise<void> {
    for (const { state, at } of lifeOf(factsOf(id)!)) {
      if (!protocol.reported.includes(state)) continue;
      await this.#wait(at - Date.now());
      const body = JSON.stringify(protocol.callbackBody(id, state));
      for (let attempt = 1; attempt <= ATTEMPTS && !(await this.#send(protocol, url, body)); attempt += 1) {
        await this.#wait(RETRY_MS);
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    await wait(Math.max(0, ms), undefined, { signal: this.#stop.signal, ref: false });
  }

  async #send(protocol: VendorProtocol, url: URL, body: string): Promise<boolean> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const headers = { 'content-type': 'application/json', ...protocol.sign({ url, body, now: Date.now() }) };
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }
}
