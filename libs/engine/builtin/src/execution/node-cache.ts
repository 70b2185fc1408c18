import type { UiItem } from '../process/run-details.js';
import type { SavedFile } from './node-class.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';
import { Tensor } from '../values/tensor.js';
import { isDict, isList, type Value } from '../values/value.js';

/** Result of a node */
export interface NodeResult {
  /** List of values per output slot */
  readonly slots: readonly (readonly Value[])[];
  /** Result files and texts of an output node, in order. */
  readonly shown: readonly ShownResult[];
}

export type ShownResult =
  | { readonly kind: 'file'; readonly slot: string; readonly file: SavedFile }
  | { readonly kind: 'text'; readonly slot: 'text'; readonly text: string }
  | { readonly kind: 'nothing'; readonly slot: string }
  | { readonly kind: 'item'; readonly slot: string; readonly item: UiItem };

/** Approximate cost of an entry without its buffers */
const ENTRY_BYTES = 512;

/**
 * LRU cache of node results by cache key, with at most `limitBytes`. A buffer in several entries counts once. The current
 * run marks the results that it uses. `onFree` receives each buffer that neither the run nor an entry holds.
 */
export class NodeCache {
  private readonly entries = new Map<string, NodeResult>();
  private readonly holders = new Map<ArrayBufferLike, number>();
  private readonly users = new Map<ArrayBufferLike, number>();
  private bytes = 0;

  constructor(
    private readonly limitBytes: number,
    private readonly onFree: (buffer: ArrayBufferLike) => void = () => undefined,
  ) {}

  get sizeBytes(): number {
    return this.bytes;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  get(key: string): NodeResult | undefined {
    const entry = this.entries.get(key);
    if (entry) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return entry;
  }

  put(key: string, result: NodeResult): void {
    this.remove(key);
    this.entries.set(key, result);
    this.bytes += fixedBytes(result);
    for (const buffer of buffersOf(result)) {
      const held = this.holders.get(buffer) ?? 0;
      if (held === 0) this.bytes += buffer.byteLength;
      this.holders.set(buffer, held + 1);
    }
    this.evict(this.bytes - this.limitBytes);
  }

  /** Marks the result as used by the run. Each `use` needs one `release`. */
  use(result: NodeResult): void {
    for (const buffer of buffersOf(result)) this.users.set(buffer, (this.users.get(buffer) ?? 0) + 1);
  }

  release(result: NodeResult): void {
    for (const buffer of buffersOf(result)) {
      const left = (this.users.get(buffer) ?? 1) - 1;
      if (left > 0) {
        this.users.set(buffer, left);
        continue;
      }
      this.users.delete(buffer);
      if (!this.holders.has(buffer)) this.onFree(buffer);
    }
  }

  /** Evicts at least this many bytes if possible. Returns the number of evicted bytes. */
  evict(bytes: number): number {
    const before = this.bytes;
    for (const key of this.entries.keys()) {
      if (before - this.bytes >= bytes) break;
      this.remove(key);
    }
    return before - this.bytes;
  }

  private remove(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.bytes -= fixedBytes(entry);
    for (const buffer of buffersOf(entry)) {
      const held = (this.holders.get(buffer) ?? 1) - 1;
      if (held > 0) {
        this.holders.set(buffer, held);
      } else {
        this.holders.delete(buffer);
        this.bytes -= buffer.byteLength;
        if (!this.users.has(buffer)) this.onFree(buffer);
      }
    }
  }
}

function buffersOf({ slots, shown }: NodeResult): ReadonlySet<ArrayBufferLike> {
  const buffers = new Set<ArrayBufferLike>();
  const waiting: Value[] = slots.flat();
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value instanceof Image || value instanceof Mask || value instanceof Tensor) buffers.add(value.data.buffer);
    else if (isList(value)) for (const item of value) waiting.push(item);
    else if (isDict(value)) waiting.push(...value.values());
  }
  for (const item of shown) {
    if (item.kind === 'file') for (const part of item.file.parts) if (part) buffers.add(part.buffer);
  }
  return buffers;
}

function fixedBytes({ slots, shown }: NodeResult): number {
  const texts = [...slots.flat(), ...shown.map((item) => (item.kind === 'text' ? item.text : ''))];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length * 2 : 16), ENTRY_BYTES);
}
