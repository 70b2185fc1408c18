import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Graph, GraphNode } from '../graph/read-graph.js';
import type { JsonValue } from '../values/value.js';
import { NodeError } from './node-error.js';

/** A name that says its content: equal names mean equal bytes. */
const CONTENT_NAME = /(?:^|\/)[0-9a-f]{64}(?:\.[A-Za-z0-9]+)?$/;
const MAX_REMEMBERED = 10_000;

/** SHA-256 of files by content-derived name, kept across runs. */
export type KnownHashes = Map<string, string>;

/** The input folder of one run: the files that it was given and no others. */
export class InputFiles {
  private readonly names: ReadonlySet<string>;
  private readonly hashes = new Map<string, string>();

  constructor(
    names: readonly string[],
    private readonly fetch: (name: string) => Promise<string>,
    private readonly known: KnownHashes,
  ) {
    this.names = new Set(names);
  }

  /** Path on this machine; `given` may end in ` [input]`, as the engine allows. */
  async path(given: string): Promise<string> {
    const name = plainName(given);
    if (!this.names.has(name))
      throw new NodeError('FileNotFoundError', `[Errno 2] No such file or directory: '${name}'`);
    return this.fetch(name);
  }

  /**
   * Finds out what the graph's files hold, and answers the document with the mark `is_changed` (SHA-256 of the file) on
   * the nodes that load one, as the engine writes it into saved pictures.
   */
  async identify(graph: Graph): Promise<ReadonlyMap<string, JsonValue>> {
    const document = new Map(graph.document);
    for (const node of graph.nodes.values()) {
      for (const input of node.info.fileInputs) {
        const value = node.constants.get(input);
        const hash = typeof value === 'string' ? await this.hash(plainName(value)) : null;
        const written = document.get(node.id);
        if (hash === null || !(written instanceof Map)) continue;
        document.set(node.id, new Map(written as ReadonlyMap<string, JsonValue>).set('is_changed', [hash]));
      }
    }
    return document;
  }

  /** What stands behind a constant for the cache: the file's hash, or a fresh value where there is no such file. */
  contentOf(node: GraphNode | undefined, input: string, value: JsonValue): string | null {
    if (!node?.info.fileInputs.has(input) || typeof value !== 'string') return null;
    return this.hashes.get(plainName(value)) ?? randomUUID();
  }

  private async hash(name: string): Promise<string | null> {
    if (!this.names.has(name)) return null;
    const remembered = this.hashes.get(name) ?? this.known.get(name);
    const hash = remembered ?? (await fileHash(await this.fetch(name)));
    this.hashes.set(name, hash);
    if (CONTENT_NAME.test(name) && this.known.size < MAX_REMEMBERED) this.known.set(name, hash);
    return hash;
  }
}

function plainName(given: string): string {
  return given.endsWith(' [input]') ? given.slice(0, -' [input]'.length) : given;
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
}
