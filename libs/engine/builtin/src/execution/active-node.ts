import { randomInt } from 'node:crypto';
import type { GraphNode } from '../graph/read-graph.js';
import type { SentPicture, UiItem } from '../process/run-details.js';
import type { ShownResult } from './node-cache.js';
import type { NodeContext, SavedFile } from './node-class.js';
import type { RunReport } from './run-report.js';

const LETTERS = 'abcdefghijklmnopqrstupvxyz';
const TAG_LENGTH = 5;

/** Minimum interval of a node's progress reports */
const PROGRESS_MS = 100;

/** The context of one running node. */
export class ActiveNode implements NodeContext {
  readonly nodeId: string;
  readonly shown: ShownResult[] = [];
  readonly previewTag = Array.from({ length: TAG_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  private readonly startedAt = new Date().toISOString();
  private readonly counts = new Map<string, number>();
  private readonly previews = new Map<string, number>();
  private nextProgress = performance.now() + PROGRESS_MS;

  constructor(
    private readonly node: GraphNode,
    private readonly report: RunReport,
  ) {
    this.nodeId = node.id;
    report.channel.send({ kind: 'nodeStarted', nodeId: node.id, classType: node.classType });
  }

  finish(): void {
    if (this.shown.length > 0) this.report.tellShown(this.nodeId, this.shown);
    this.report.channel.send({
      kind: 'nodeFinished',
      nodeId: this.node.id,
      classType: this.node.classType,
      startedAt: this.startedAt,
      endedAt: new Date().toISOString(),
      cached: false,
    });
  }

  pixels(samples: number): Float32Array {
    return this.report.memory.pixels(samples);
  }

  unwritten(samples: number): Float32Array {
    return this.report.memory.unwritten(samples);
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
      const before = this.previews.get(base) ?? 0;
      this.previews.set(base, before + count);
      return before + 1;
    }
    return Number(await this.report.channel.ask({ about: 'counter', folder: subfolder, base, count }));
  }

  async save(file: SavedFile, slot = 'images'): Promise<void> {
    await this.offer({ kind: 'file', slot, file });
  }

  async text(text: string): Promise<void> {
    await this.offer({ kind: 'text', slot: 'text', text });
  }

  show(key: string, item: UiItem): void {
    this.shown.push({ kind: 'item', slot: key, item });
  }

  showNothing(key: string): void {
    this.shown.push({ kind: 'nothing', slot: key });
  }

  sendPicture(picture: SentPicture): Promise<void> {
    return this.report.sendPicture(this.nodeId, picture);
  }

  progressText(text: string): void {
    this.report.channel.send({ kind: 'progressText', nodeId: this.nodeId, text });
  }

  log(line: string): void {
    this.report.log(line);
  }

  get metadata(): readonly (readonly [string, string])[] {
    return this.report.metadata;
  }

  private async offer(result: ShownResult): Promise<void> {
    const index = this.counts.get(result.slot) ?? 0;
    this.counts.set(result.slot, index + 1);
    this.shown.push(await this.report.offer(this.nodeId, result, index));
  }
}
