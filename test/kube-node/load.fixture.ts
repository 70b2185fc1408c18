// Clients of an upgrade: submissions at a steady rate, event streams that reconnect, and a slow upload.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  describeAnswer,
  multipart,
  openEventStream,
  send,
  textGraph,
  textOf,
  uploadParts,
  type Answer,
} from '@heddle/testing-api';

const UPLOAD_BYTES = 100 * 1024 ** 2;
const UPLOAD_PARTS = 200;
/** Of the streams: their clients wait for `retry:`, the others return at once. */
const WAITING_SHARE = 0.2;

export interface LoadPlan {
  readonly url: string;
  readonly token: string;
  readonly perSecond: number;
  /** A job that runs for as long as the load, and the number of streams that follow it. */
  readonly followed: { readonly jobId: string; readonly streams: number };
  /** How long one upload takes. */
  readonly uploadS: number;
}

/** One end of a stream that the server caused. */
export interface StreamEnd {
  readonly wasTold: boolean;
  /** Until the state was there again. */
  readonly backMs: number;
  /** The client waited for as long as the server had asked it to. */
  readonly hasWaited: boolean;
}

export class Load {
  readonly acknowledged: string[] = [];
  /** Requests that were neither served nor refused with 429, in words. */
  readonly failures: string[] = [];
  readonly tookMs: number[] = [];
  readonly streamEnds: StreamEnd[] = [];
  refusals = 0;
  uploads = 0;
  readonly #plan: LoadPlan;
  readonly #over = new AbortController();
  readonly #clients: Promise<unknown>[];

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    const { streams: count } = plan.followed;
    const streams = Array.from({ length: count }, async (_, one) => await this.#follow(one < count * WAITING_SHARE));
    this.#clients = [this.#submitSteadily(), this.#uploadSlowly(), ...streams];
  }

  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#clients);
  }

  /** Milliseconds that `share` of the submissions did not exceed. */
  quantile(share: number, from = 0): number {
    const sorted = this.tookMs.slice(from).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  async #submitSteadily(): Promise<void> {
    const { perSecond } = this.#plan;
    const open = new Set<Promise<void>>();
    const startedAt = performance.now();
    for (let sent = 0; !this.#isOver; sent++) {
      const one = this.#submit().finally(() => open.delete(one));
      open.add(one);
      // By the clock, so that slow answers do not lower the rate.
      const dueAt = startedAt + ((sent + 1) * 1_000) / perSecond;
      await delay(Math.max(0, dueAt - performance.now()));
    }
    await Promise.all(open);
  }

  async #submit(): Promise<void> {
    const body = JSON.stringify({ workflow: textGraph() });
    const headers = { ...this.#authorization, 'content-type': 'application/json' };
    const answer = await this.#served({ method: 'POST', target: '/api/v2/jobs', headers, body });
    if (answer === null) return;
    this.tookMs.push(answer.tookMs);
    this.acknowledged.push((JSON.parse(textOf(answer)) as { readonly id: string }).id);
  }

  async #uploadSlowly(): Promise<void> {
    // Made once: new bytes for each upload would hold up every other client for a second.
    const rest = randomBytes(UPLOAD_BYTES - 4_096);
    while (!this.#isOver) {
      const form = { bytes: randomBytes(64), content_type: 'application/octet-stream', file_path: 'upload.bin' };
      const { bytes, contentType, boundary } = multipart(uploadParts(form));
      const end = bytes.lastIndexOf(`\r\n--${boundary}`);
      const headers = {
        ...this.#authorization,
        'content-type': contentType,
        'content-length': bytes.length + rest.length,
      };
      const body = this.#paced(bytes.subarray(0, end), rest, bytes.subarray(end));
      if ((await this.#served({ method: 'POST', target: '/api/v2/assets', headers, body })) !== null) this.uploads++;
    }
  }

  async *#paced(head: Uint8Array, bytes: Uint8Array, end: Uint8Array): AsyncIterable<Uint8Array> {
    yield head;
    const size = Math.ceil(bytes.length / UPLOAD_PARTS);
    for (let at = 0; at < bytes.length; at += size) {
      yield bytes.subarray(at, at + size);
      await delay((this.#plan.uploadS * 1_000) / UPLOAD_PARTS);
    }
    yield end;
  }

  /** Null: it failed, or it was refused as documented. */
  async #served(sent: Parameters<typeof send>[1]): Promise<Answer | null> {
    const began = performance.now();
    const note = (what: string): unknown =>
      this.failures.push(`${new Date().toISOString()} after ${(performance.now() - began).toFixed()} ms: ${what}`);
    try {
      const answer = await send(this.#plan.url, sent);
      if (answer.status === 200 || answer.status === 201) return answer;
      if (answer.status === 429) this.refusals++;
      else note(`${describeAnswer(answer)}: ${textOf(answer).slice(0, 300)}`);
    } catch (error) {
      note(String(error));
    }
    return null;
  }

  async #follow(hasWaited: boolean): Promise<void> {
    const { url, followed } = this.#plan;
    const events = `${url}/api/v2/jobs/${followed.jobId}/events`;
    let lost: { readonly at: number; readonly wasTold: boolean } | null = null;
    while (!this.#isOver) {
      try {
        const stream = await openEventStream(events, this.#authorization);
        await stream.until('its state', ({ event }) => event === 'status');
        if (lost !== null)
          this.streamEnds.push({ wasTold: lost.wasTold, backMs: performance.now() - lost.at, hasWaited });
        const isOver = new Promise<void>((done) => this.#over.signal.addEventListener('abort', () => done()));
        await Promise.race([stream.ended, isOver]);
        if (this.#isOver) return stream.close();
        lost = { at: performance.now(), wasTold: stream.comments.includes('stopping') };
        if (hasWaited) await delay(Number(/^retry: (\d+)$/m.exec(stream.text())?.[1] ?? 0));
      } catch (error) {
        this.failures.push(`${new Date().toISOString()} stream: ${String(error)}`);
        await delay(500);
      }
    }
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  get #authorization(): { authorization: string } {
    return { authorization: `Bearer ${this.#plan.token}` };
  }
}
