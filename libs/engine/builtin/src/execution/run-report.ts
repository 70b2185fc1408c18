import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputType } from '@heddle/engine-port';
import type { Ask, FromChild } from '../child/messages.js';
import type { GraphNode } from '../graph/read-graph.js';
import { pythonJson } from '../graph/python-text.js';
import { pngText } from '../images/encode-png.js';
import type { JsonValue } from '../values/value.js';
import type { ShownResult } from './node-cache.js';
import { InterruptedError } from './node-error.js';
import type { PixelMemory } from './pixel-memory.js';

/** Outputs up to this size travel inside a message, larger ones as a file. */
const INLINE_BYTES = 256 * 1024;
/** How long a node may compute before messages (a cancel above all) get their turn. */
const TURN_MS = 15;

/** The way of one run to the outside: what happens, what is asked for, and whether it was cancelled. */
export interface RunChannel {
  send(message: FromChild): void;
  ask(ask: Ask): Promise<string | number | null>;
}

/** Tells the parent what happens in one run, hands outputs over one at a time and watches for a cancel. */
export class RunReport {
  /** The graph as saved pictures carry it. */
  document: ReadonlyMap<string, JsonValue> = new Map();
  cancelled = false;
  private promptText: Uint8Array | null = null;
  private files = 0;
  private turnEnds = performance.now() + TURN_MS;

  constructor(
    readonly channel: RunChannel,
    readonly memory: PixelMemory,
    private readonly directory: string,
    readonly inputFile: (name: string) => Promise<string>,
  ) {}

  cachedNode(node: GraphNode): void {
    const now = new Date().toISOString();
    const { id: nodeId, classType } = node;
    this.channel.send({ kind: 'nodeFinished', nodeId, classType, startedAt: now, endedAt: now, cached: true });
  }

  /** Offers the results of an earlier run of an equal node again. */
  async repeat(node: GraphNode, shown: readonly ShownResult[]): Promise<void> {
    const counts = { images: 0, text: 0 };
    for (const result of shown) await this.offer(node.id, result, counts[result.slot]++);
  }

  async offer(nodeId: string, result: ShownResult, index: number): Promise<void> {
    const key = `${nodeId}/${result.slot}/${index}`;
    if (result.slot === 'text') {
      const bytes = Buffer.from(result.text, 'utf8');
      const name = `${nodeId}_${index}.txt`;
      await this.hand({ nodeId, key, name, type: 'text', contentType: 'text/plain; charset=utf-8' }, [bytes]);
      return;
    }
    const { file } = result;
    const parts = file.parts.map((part) => part ?? this.promptChunk());
    const type: OutputType = file.contentType.startsWith('image/') ? 'image' : 'file';
    await this.hand({ nodeId, key, name: file.name, type, contentType: file.contentType }, parts);
  }

  checkpoint(): void | Promise<void> {
    if (this.cancelled) throw new InterruptedError();
    if (performance.now() < this.turnEnds) return undefined;
    return this.turn();
  }

  private async turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.turnEnds = performance.now() + TURN_MS;
    if (this.cancelled) throw new InterruptedError();
  }

  private async hand(
    output: { nodeId: string; key: string; name: string; type: OutputType; contentType: string },
    parts: readonly Uint8Array[],
  ): Promise<void> {
    const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const content = sizeBytes <= INLINE_BYTES ? Buffer.concat(parts) : await this.write(parts);
    await this.channel.ask({ about: 'output', output: { ...output, sizeBytes }, content });
  }

  private async write(parts: readonly Uint8Array[]): Promise<string> {
    // Made with the first file: most runs need no folder.
    if (this.files === 0) await mkdir(this.directory, { recursive: true, mode: 0o700 });
    this.files += 1;
    const path = join(this.directory, `out-${this.files}`);
    const file = await open(path, 'wx', 0o600);
    try {
      for (const part of parts) await file.writeFile(part);
    } finally {
      await file.close();
    }
    return path;
  }

  private promptChunk(): Uint8Array {
    this.promptText ??= pngText('prompt', pythonJson(this.document));
    return this.promptText;
  }
}
