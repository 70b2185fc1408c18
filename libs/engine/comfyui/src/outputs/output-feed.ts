import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineObserver, EngineOutput } from '@heddle/engine-port';
import { EngineCallError } from '../calls/call-error.js';
import type { EngineCalls, OpenEngineAnswer } from '../calls/engine-calls.js';
import type { EngineLimits } from '../engine-options.js';
import type { EngineRecord } from '../calls/json-shape.js';
import { listOutputs } from './list-outputs.js';
import type { FoundOutput } from './list-outputs.js';
import { outputMediaType, outputTypeOf } from './output-type.js';

/** An output that the engine listed but does not serve. */
export class OutputUnreadable extends Error {}

const ATTEMPTS = 3;
const PAUSE_MS = 200;

type Offer = { readonly size: number; readonly take: () => Promise<void> };

/**
 * Passes the outputs of one run to its observer, one at a time, in order, each once. The first failure stops it:
 * `broken` aborts with the error, and `drain` rejects.
 */
export class OutputFeed {
  readonly #calls: EngineCalls;
  readonly #observer: EngineObserver;
  readonly #limits: EngineLimits;
  readonly #signal: AbortSignal;
  readonly #broken = new AbortController();
  readonly #known = new Set<string>();
  #waitingBytes = 0;
  #tail: Promise<void> = Promise.resolve();

  /** Aborting `signal` stops it: no more outputs are offered. */
  constructor(calls: EngineCalls, observer: EngineObserver, limits: EngineLimits, signal: AbortSignal) {
    this.#calls = calls;
    this.#observer = observer;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** Aborts with the first failure. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Adds what a node displayed; `nodeId` is the engine's, `place` the node of the graph that it stands for. */
  add(nodeId: string, place: string, output: EngineRecord): void {
    for (const found of listOutputs(nodeId, output)) this.#offer(found.key, this.#offerOf(found, place));
  }

  /** Adds an image that came over the socket and is in no folder. */
  addPicture(place: string, index: number, contentType: string, bytes: Uint8Array): void {
    const name = `${place.replace(/[/\\:]/g, '_')}_${index}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
    const key = `${place}/images/${index}`;
    const output = { nodeId: place, key, name, type: 'image' as const, contentType };
    this.#offer(key, { size: bytes.byteLength, take: () => this.#handBytes(output, bytes) });
  }

  /** Resolves when everything added so far was accepted. */
  drain(): Promise<void> {
    return this.#tail;
  }

  #offer(key: string, offer: Offer): void {
    if (this.#known.has(key) || this.#signal.aborted) return;
    this.#known.add(key);
    this.#waitingBytes += offer.size;
    const { outputs, waitingBytes } = this.#limits;
    const tooMuch = this.#known.size > outputs || this.#waitingBytes > waitingBytes;
    this.#tail = this.#tail.then(async () => {
      if (this.#signal.aborted) return;
      if (tooMuch)
        throw new OutputUnreadable(`the run has more than ${outputs} outputs or ${waitingBytes} bytes of text`);
      await offer.take();
      this.#waitingBytes -= offer.size;
    });
    this.#tail.catch((error: unknown) => {
      if (!this.#signal.aborted) this.#broken.abort(error);
    });
  }

  #offerOf(found: FoundOutput, place: string): Offer {
    const { key, name, slot, content } = found;
    if (content.kind === 'file') return { size: 0, take: () => this.#handFile(found, place, content.path) };
    const bytes = Buffer.from(content.kind === 'text' ? content.text : content.json, 'utf8');
    const contentType = content.kind === 'text' ? 'text/plain; charset=utf-8' : 'application/json';
    const type = content.kind === 'text' ? ('text' as const) : outputTypeOf(slot, name, contentType);
    const output = { nodeId: place, key, name, type, contentType };
    return { size: bytes.byteLength, take: () => this.#handBytes(output, bytes) };
  }

  #handBytes(output: Omit<EngineOutput, 'open' | 'sizeBytes'>, bytes: Uint8Array): Promise<void> {
    const open = async (): Promise<Readable> => Readable.from([Buffer.from(bytes)], { objectMode: false });
    return this.#observer.output({ ...output, sizeBytes: bytes.byteLength, open });
  }

  async #handFile({ key, name, slot }: FoundOutput, place: string, path: string): Promise<void> {
    let first: OpenEngineAnswer | null = await this.#openFile(path, name, place);
    if (this.#signal.aborted) return void first.body.destroy();
    const contentType = outputMediaType(name, first.contentType);
    const type = outputTypeOf(slot, name, contentType);
    const { sizeBytes } = first;
    const open = async (): Promise<Readable> => {
      const answer = first ?? (await this.#openFile(path, name, place));
      first = null;
      return answer.body;
    };
    try {
      await this.#observer.output({ nodeId: place, key, name, type, contentType, sizeBytes, open });
    } finally {
      first?.body.destroy();
    }
  }

  async #openFile(path: string, name: string, place: string): Promise<OpenEngineAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#calls.open(path, this.#signal).catch((error: unknown) => {
        if (this.#signal.aborted || attempt === ATTEMPTS || !(error instanceof EngineCallError)) throw error;
        return null;
      });
      if (answer?.status === 200) return answer;
      answer?.body.destroy();
      if (answer !== null && (answer.status < 500 || attempt === ATTEMPTS)) {
        throw new OutputUnreadable(
          `the engine lists the output ${name} of node ${place} and answers ${answer.status} when it is read`,
        );
      }
      await pause(PAUSE_MS * attempt, undefined, { signal: this.#signal });
    }
  }
}
