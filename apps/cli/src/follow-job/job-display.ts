import type { WireOutput, WireProgress } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { byteText } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import type { OutlineNode } from './graph-outline.js';
import type { JobObserver, JobWatchState } from './job-watch.js';
import { nodesDone, renderJob, statusText, waitOf } from './render-job.js';

const REDRAW_MS = 100;

/** Displays a followed job: bars on a terminal, a line per change elsewhere, JSON lines with --json. */
export class JobDisplay implements JobObserver {
  private readonly done = new Set<string>();
  private readonly startedAt = Date.now();
  private last: WireProgress | null = null;
  private state: JobWatchState | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly terminal: Terminal,
    private readonly nodes: readonly OutlineNode[],
  ) {
    this.timer = setInterval(() => this.redraw(), REDRAW_MS);
    this.timer.unref();
  }

  status(state: JobWatchState): void {
    this.state = state;
    if (state.status === 'succeeded') for (const node of this.nodes) this.done.add(node.id);
    this.terminal.printJson({
      event: 'status',
      job_id: state.id,
      status: state.status,
      queue_position: state.queuePosition,
    });
    if (!this.terminal.live && !this.terminal.json) this.terminal.say(`job ${state.id}: ${statusText(state)}`);
    this.redraw();
  }

  progress(progress: WireProgress, state: JobWatchState): void {
    for (const id of nodesDone(this.nodes, this.last, progress)) this.done.add(id);
    const { last } = this;
    const moved =
      progress.currentNode !== last?.currentNode ||
      progress.nodesDone !== last?.nodesDone ||
      waitOf(progress) !== waitOf(last);
    this.last = progress;
    this.state = state;
    this.terminal.printJson({ event: 'progress', job_id: state.id, ...wireProgress(progress) });
    if (!this.terminal.live && !this.terminal.json && moved) this.terminal.say(progressLine(progress, this.nodes));
    this.redraw();
  }

  output(output: WireOutput, state: JobWatchState): void {
    this.state = state;
    this.terminal.printJson({
      event: 'output',
      job_id: state.id,
      node_id: output.nodeId,
      id: output.id,
      name: output.name,
      hash: output.hash,
    });
    if (!this.terminal.live && !this.terminal.json) {
      const size = output.sizeBytes === null ? '' : `, ${byteText(output.sizeBytes)}`;
      this.terminal.say(`output ${plainText(output.name)} of node ${plainText(output.nodeId)}${size}`);
    }
    this.redraw();
  }

  connection(live: boolean): void {
    this.terminal.printJson({ event: 'connection', live });
  }

  away(isAway: boolean): void {
    if (this.terminal.json) return;
    this.terminal.say(isAway ? 'the connection is lost; trying again' : 'the connection is back');
    this.redraw();
  }

  /** The last block stays on the screen. */
  close(): void {
    clearInterval(this.timer);
    this.redraw();
    this.terminal.keep();
  }

  /** Since the job started, or was created: a command that begins to watch later shows the same. */
  private elapsedMs({ times }: JobWatchState): number {
    const from = Date.parse(times.startedAt ?? times.createdAt ?? '');
    const until = Date.parse(times.completedAt ?? '');
    return Math.max(0, (until || Date.now()) - (from || this.startedAt));
  }

  private redraw(): void {
    if (this.state === null || !this.terminal.live) return;
    const picture = { state: this.state, nodes: this.nodes, done: this.done, elapsedMs: this.elapsedMs(this.state) };
    this.terminal.draw(renderJob(picture, this.terminal.columns));
  }
}

function progressLine(progress: WireProgress, nodes: readonly OutlineNode[]): string {
  const node = nodes.find(({ id }) => id === progress.currentNode);
  const current =
    progress.currentNode === null
      ? ''
      : `, now ${plainText(progress.currentNode)} ${plainText(node?.title ?? progress.currentNodeClass ?? '')}`;
  const wait = waitOf(progress);
  const waits = wait === null ? '' : `, ${wait}`;
  return `${Math.floor(progress.value * 100)} %, ${progress.nodesDone}/${progress.nodesTotal} nodes${current.trimEnd()}${waits}`;
}

function wireProgress(progress: WireProgress): object {
  return {
    value: progress.value,
    nodes_done: progress.nodesDone,
    nodes_total: progress.nodesTotal,
    current_node: progress.currentNode,
    current_node_class: progress.currentNodeClass,
    step: progress.step,
    steps: progress.steps,
    message: progress.message,
  };
}
