import type { EngineOutputType } from '@heddle/engine-port';
import type { Ask, FromChild } from '../child/messages.js';
import type { GraphNode } from '../graph/read-graph.js';
import { pythonJson } from '../graph/python-text.js';
import { readJson } from '../graph/read-json.js';
import { pngText } from '../images/encode-png.js';
import type { EngineFolders, SentPicture, UiFile, UiItem, UiOutput } from '../process/run-details.js';
import type { PythonJson } from '../values/value.js';
import type { ShownResult } from './node-cache.js';
import { InterruptedError } from './node-error.js';
import type { PixelMemory } from './pixel-memory.js';
import { ResultFiles } from './result-files.js';

/** Outputs up to this size are sent in a message, larger ones as a file. */
const INLINE_BYTES = 256 * 1024;
/** Limit on unaccepted outputs in messages. At the limit, the run waits until all are accepted. */
const MAX_UNANSWERED = 8;
/** How long a node computes before messages are handled, above all a cancel */
const TURN_MS = 15;

/** Channel of one run to the parent: events, requests and cancel */
interface RunChannel {
  send(message: FromChild): void;
  ask(ask: Ask): Promise<string | number | null>;
}

/** Places and metadata of a run's result files */
interface RunPlaces {
  /** Private folder of the run */
  readonly directory: string;
  readonly folders: EngineFolders | null;
  readonly extraPngInfo: string | null;
  /** Whether anybody keeps the log */
  readonly log: boolean;
}

/** Reports the events of one run to the parent, delivers outputs one by one, and checks for a cancel. */
export class RunReport {
  /** The graph as saved pictures carry it */
  document: ReadonlyMap<string, PythonJson> = new Map();
  canceled = false;
  private texts: readonly (readonly [string, string])[] | null = null;
  private chunks: Uint8Array | null = null;
  private readonly files: ResultFiles;
  private unanswered = 0;
  private turnEnds = performance.now() + TURN_MS;

  constructor(
    readonly channel: RunChannel,
    readonly memory: PixelMemory,
    private readonly places: RunPlaces,
    readonly inputFile: (name: string) => Promise<string>,
  ) {
    this.files = new ResultFiles(places.directory, places.folders);
  }

  cachedNode(node: GraphNode): void {
    const now = new Date().toISOString();
    const { id: nodeId, classType } = node;
    this.channel.send({ kind: 'nodeFinished', nodeId, classType, startedAt: now, endedAt: now, cached: true });
  }

  /** Offers the results of an earlier run of an equal node again. Files in the engine's folders still exist. */
  async repeat(node: GraphNode, shown: readonly ShownResult[]): Promise<void> {
    if (shown.length > 0) this.tellShown(node.id, shown);
    const counts = new Map<string, number>();
    for (const result of this.places.folders === null ? shown : []) {
      const index = counts.get(result.slot) ?? 0;
      counts.set(result.slot, index + 1);
      await this.offer(node.id, result, index);
    }
  }

  /** Shows all results of a node to the engine's clients. */
  tellShown(nodeId: string, shown: readonly ShownResult[]): void {
    const ui: Record<string, UiItem[]> = Object.create(null) as Record<string, UiItem[]>;
    for (const result of shown) {
      const items = (ui[result.slot] ??= []);
      if (result.kind !== 'nothing') items.push(uiItem(result));
    }
    this.channel.send({ kind: 'executed', nodeId, ui: { ...ui } satisfies UiOutput });
  }

  /** Writes a line to the log of the run, if it is kept. */
  log(line: string): void {
    if (this.places.log) this.channel.send({ kind: 'log', text: `${line}\n` });
  }

  /** Delivers a result. Resolves with the part that a later run can reuse. */
  async offer(nodeId: string, result: ShownResult, index: number): Promise<ShownResult> {
    if (result.kind === 'item' || result.kind === 'nothing') return result;
    const key = `${nodeId}/${result.slot}/${index}`;
    if (result.kind === 'text') {
      if (this.places.folders !== null) return result;
      const bytes = Buffer.from(result.text, 'utf8');
      const name = `${nodeId}_${index}.txt`;
      await this.hand({ nodeId, key, name, type: 'text', contentType: 'text/plain; charset=utf-8' }, [bytes]);
      return result;
    }
    const { file, slot } = result;
    const parts = file.parts.map((part) => part ?? this.metadataChunks());
    if (this.places.folders !== null) {
      await this.files.writeResult(file, parts);
      return { ...result, file: { ...file, parts: [] } };
    }
    const type = outputType(slot, file.contentType);
    await this.hand({ nodeId, key, name: file.name, type, contentType: file.contentType }, parts);
    return result;
  }

  /** Sends a picture to clients. If files travel with the run, it is an output too, because nothing else stores it. */
  async sendPicture(nodeId: string, { contentType, bytes, index, count }: SentPicture): Promise<void> {
    const content = bytes.byteLength <= INLINE_BYTES ? bytes : await this.files.writePassing([bytes]);
    await this.channel.ask({ about: 'picture', nodeId, contentType, content, index, count });
    if (this.places.folders !== null) return;
    const [key, name] = [`${nodeId}/images/${index}`, `${nodeId}_${index}.png`];
    await this.hand({ nodeId, key, name, type: 'image', contentType }, [bytes]);
  }

  checkpoint(): void | Promise<void> {
    if (this.canceled) throw new InterruptedError();
    if (performance.now() < this.turnEnds) return undefined;
    return this.turn();
  }

  /** Metadata of saved files, as keyword and JSON text */
  get metadata(): readonly (readonly [string, string])[] {
    this.texts ??= [['prompt', pythonJson(this.document)], ...extraTexts(this.places.extraPngInfo)];
    return this.texts;
  }

  private async turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.turnEnds = performance.now() + TURN_MS;
    if (this.canceled) throw new InterruptedError();
  }

  private async hand(
    output: { nodeId: string; key: string; name: string; type: EngineOutputType; contentType: string },
    parts: readonly Uint8Array[],
  ): Promise<void> {
    const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const content = sizeBytes <= INLINE_BYTES ? Buffer.concat(parts) : await this.files.writePassing(parts);
    if (typeof content !== 'string' && this.unanswered < MAX_UNANSWERED) {
      this.unanswered += 1;
      this.channel.send({ kind: 'output', output: { ...output, sizeBytes }, content });
      return;
    }
    // Outputs are accepted in order, so this answer covers all earlier outputs.
    await this.channel.ask({ about: 'output', output: { ...output, sizeBytes }, content });
    this.unanswered = 0;
  }

  private metadataChunks(): Uint8Array {
    this.chunks ??= Buffer.concat(this.metadata.map(([keyword, text]) => pngText(keyword, text)));
    return this.chunks;
  }
}

function uiItem(result: Exclude<ShownResult, { kind: 'nothing' }>): UiItem {
  if (result.kind === 'text') return result.text;
  if (result.kind === 'item') return result.item;
  const { name: filename, subfolder, folder: type } = result.file;
  return { filename, subfolder, type } satisfies UiFile;
}

function outputType(slot: string, contentType: string): EngineOutputType {
  if (slot === 'latents') return 'latent';
  if (contentType.startsWith('image/')) return 'image';
  if (contentType.startsWith('audio/')) return 'audio';
  return contentType.startsWith('text/') ? 'text' : 'file';
}

function extraTexts(json: string | null): readonly (readonly [string, string])[] {
  const extra = json === null ? null : readJson(json);
  if (!(extra instanceof Map)) return [];
  return [...(extra as ReadonlyMap<string, PythonJson>)].map(([key, value]) => [key, pythonJson(value)] as const);
}
