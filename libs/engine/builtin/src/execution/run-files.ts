import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Graph, GraphNode } from '../graph/read-graph.js';
import type { PythonJson } from '../values/value.js';
import { NodeError } from './node-error.js';

/**
 * Source of the files that a graph names: given with the run, or the engine's folders. Implementations pass
 * `libs/engine/builtin/src/execution/file-source.suite.ts`.
 */
export interface FileSource {
  /** Finds the file of a name in the graph; `null` if it does not exist. */
  find(given: string): Promise<FoundFile | null>;
}

export interface FoundFile {
  /** Equal for equal content; `null` if unknown */
  readonly contentKey: string | null;
  path(): Promise<string>;
}

const MAX_REMEMBERED = 10_000;

/** SHA-256 of files by content key, kept across runs. */
export type KnownHashes = Map<string, string>;

/** The input files of one run. */
export class RunFiles {
  private readonly hashes = new Map<string, string>();

  constructor(
    private readonly source: FileSource,
    private readonly known: KnownHashes,
  ) {}

  /** Local path of a file. Throws `NodeError` if it does not exist. */
  async path(given: string): Promise<string> {
    const found = await this.source.find(given);
    if (found === null) throw new NodeError('FileNotFoundError', `[Errno 2] No such file or directory: '${given}'`);
    return found.path();
  }

  /**
   * Hashes the graph's files. Returns the document with the mark `is_changed` (SHA-256 of the file) on nodes that load a file,
   * as the engine writes it into saved pictures.
   */
  async identify(graph: Graph): Promise<ReadonlyMap<string, PythonJson>> {
    const document = new Map(graph.document);
    for (const node of graph.nodes.values()) {
      for (const input of node.info.fileInputs) {
        const value = node.constants.get(input);
        const hash = typeof value === 'string' ? await this.hash(value) : null;
        const written = document.get(node.id);
        if (hash === null || !(written instanceof Map)) continue;
        document.set(node.id, new Map(written as ReadonlyMap<string, PythonJson>).set('is_changed', [hash]));
      }
    }
    return document;
  }

  /** Cache content of a constant: the hash of its file, or a unique value if the file does not exist. */
  contentOf(node: GraphNode | undefined, input: string, value: PythonJson): string | null {
    if (!node?.info.fileInputs.has(input) || typeof value !== 'string') return null;
    return this.hashes.get(value) ?? randomUUID();
  }

  private async hash(given: string): Promise<string | null> {
    const found = await this.source.find(given);
    if (found === null) return null;
    const { contentKey } = found;
    const remembered = this.hashes.get(given) ?? (contentKey === null ? undefined : this.known.get(contentKey));
    const hash = remembered ?? (await fileHash(await found.path()));
    this.hashes.set(given, hash);
    if (contentKey !== null && this.known.size < MAX_REMEMBERED) this.known.set(contentKey, hash);
    return hash;
  }
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
}
