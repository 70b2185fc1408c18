import { randomInt } from 'node:crypto';
import type { GraphNode } from '../graph/read-graph.js';
import type { ShownResult } from './node-cache.js';
import type { NodeContext, SavedFile } from './node-class.js';
import type { RunReport } from './run-report.js';

const LETTERS = 'abcdefghijklmnopqrstupvxyz';
const TAG_LENGTH = 5;

/** A node tells of its own progress at most this often. */
const PROGRESS_MS = 100;

/** The context of one running node. */
export class ActiveNode implements NodeContext {
  readonly nodeId: string;
  readonly shown: ShownResult[] = [];
  readonly previewTag = Array.from({ length: TAG_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  private readonly startedAt = new Date().toISOString();
  private readonly counts = { images: 0, text: 0 };
  private previews = 0;
  private nextProgress = performance.now() + PROGRESS_MS;

  constructor(
    private readonly node: GraphNode,
    private readonly report: RunReport,
  ) {
    this.nodeId = node.id;
    report.channel.send({ kind: 'nodeStarted', nodeId: node.id, classType: node.classType });
  }

  finish(): void {
    this.report.channel.send({
      kind: 'nodeFinished',
      nodeId: this.node.id,
      classType: this.node.classType,
      startedAt: this.startedAt,
      endedAt: new Date().toISOString(),
      cached: false,
    });
  }

  pixels(samples: number): Float32Array<ArrayBuffer> {
    return this.report.memory.pixels(samples);
  }

  reserve(bytes: number): void {
    this.report.memory.reserve(bytes);
  }

  checkpoint(step?: number, steps?: number): void | Promise<void> {
    if (step !== undefined && steps !== undefined) {
      const now = performance.now();
      if (now >= this.nextProgress) {
        this.nextProgress = now + PROGRESS_MS;
        this.report.channel.send({ kind: 'nodeProgress', nodeId: this.nodeId, step, steps });
      }
    }
    return this.report.checkpoint();
  }

  inputFile(name: string): Promise<string> {
    return this.report.inputFile(name);
  }

  async counter(folder: 'output' | 'temp', subfolder: string, base: string, count: number): Promise<number> {
    if (folder === 'temp') {
      this.previews += count;
      return this.previews - count + 1;
    }
    return Number(await this.report.channel.ask({ about: 'counter', folder: subfolder, base, count }));
  }

  async save(file: SavedFile): Promise<void> {
    await this.show({ slot: 'images', file });
  }

  async text(text: string): Promise<void> {
    await this.show({ slot: 'text', text });
  }

  private async show(result: ShownResult): Promise<void> {
    this.shown.push(result);
    await this.report.offer(this.nodeId, result, this.counts[result.slot]++);
  }
}
