import { hasEnded } from '../api/wire.js';
import type { WireProgress } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';
import { percentText, progressBar } from '../terminal/progress-bar.js';
import { counted, durationText } from '../terminal/quantities.js';
import { fit } from '../terminal/text-width.js';
import { shortId } from '../list-jobs/job-id.js';
import { ancestors } from './graph-outline.js';
import type { OutlineNode } from './graph-outline.js';
import type { JobWatchState } from './job-watch.js';

export interface JobPicture {
  readonly state: JobWatchState;
  readonly nodes: readonly OutlineNode[];
  /** Nodes known to have run. */
  readonly done: ReadonlySet<string>;
  readonly elapsedMs: number;
}

const MAX_ROWS = 12;
const LABEL = 20;
/** Columns for the text after the job's bar: `  50 %  running, 12/34 nodes, 2 outputs, 1.2 s`. */
const FACTS = 50;

/** The block that is redrawn while a job runs: the job's bar, then one bar per node; no line exceeds `columns`. */
export function renderJob(picture: JobPicture, columns: number): string[] {
  const { state, nodes, done } = picture;
  const bar = Math.max(8, Math.min(32, columns - LABEL - FACTS));
  const rows = visible(nodes, done, state.progress).map((node) => nodeRow(node, picture, { bar, columns }));
  const wait = waitOf(state.progress);
  return [
    jobRow(picture, { bar, columns }),
    ...(wait === null || hasEnded(state.status) ? [] : [fit(`  ${wait}`, columns).trimEnd()]),
    ...rows,
  ];
}

interface Widths {
  readonly bar: number;
  readonly columns: number;
}

function jobRow({ state, elapsedMs }: JobPicture, { bar, columns }: Widths): string {
  const value = state.status === 'succeeded' ? 1 : (state.progress?.value ?? 0);
  const facts = [
    statusText(state),
    state.progress === null ? '' : `${state.progress.nodesDone}/${state.progress.nodesTotal} nodes`,
    state.outputs.length === 0 ? '' : counted(state.outputs.length, 'output'),
    durationText(elapsedMs),
  ];
  const line = `${fit(`job ${shortId(state.id)}`, LABEL)} ${progressBar(value, bar)} ${percentText(value)}  ${facts.filter(Boolean).join(', ')}`;
  return fit(line, columns).trimEnd();
}

function nodeRow(node: OutlineNode, { state, done }: JobPicture, { bar, columns }: Widths): string {
  const label = fit(`  ${plainText(node.id)} ${plainText(node.title)}`, LABEL);
  const current = state.progress?.currentNode === node.id && !hasEnded(state.status) && !done.has(node.id);
  if (done.has(node.id)) return `${label} ${progressBar(1, bar)}  done`;
  if (!current) return `${label} ${progressBar(0, bar)}`;
  const { step, steps } = state.progress;
  const share = step !== null && steps !== null && steps > 0 ? step / steps : 0;
  const detail = step !== null && steps !== null ? `${step}/${steps}` : 'running';
  return fit(`${label} ${progressBar(share, bar)}  ${detail}`, columns).trimEnd();
}

/** With too many nodes for the screen, those around the running one. */
function visible(
  nodes: readonly OutlineNode[],
  done: ReadonlySet<string>,
  progress: WireProgress | null,
): readonly OutlineNode[] {
  if (nodes.length <= MAX_ROWS) return nodes;
  const running = nodes.findIndex((node) => node.id === progress?.currentNode);
  const at = running >= 0 ? running : nodes.findIndex((node) => !done.has(node.id));
  const from = Math.min(Math.max(0, at - 3), nodes.length - MAX_ROWS);
  return nodes.slice(from, from + MAX_ROWS);
}

/** The service's note on the job, such as waiting for its engine; null if there is none. */
export function waitOf(progress: WireProgress | null): string | null {
  const { message = null, currentNodeClass } = progress ?? {};
  if (message === null || message.startsWith(currentNodeClass ?? '\u0000')) return null;
  return plainText(message);
}

export function statusText({ status, queuePosition }: Pick<JobWatchState, 'status' | 'queuePosition'>): string {
  return queuePosition === null ? plainText(status) : `${plainText(status)}, position ${queuePosition}`;
}

/** Nodes that must have run: everything that feeds the current node, and the previous node. */
export function nodesDone(nodes: readonly OutlineNode[], before: WireProgress | null, now: WireProgress): string[] {
  const current = now.currentNode;
  const proven = current === null ? [] : [...ancestors(nodes, current)];
  const previous = before?.currentNode;
  if (typeof previous === 'string' && previous !== current) proven.push(previous);
  return proven;
}
