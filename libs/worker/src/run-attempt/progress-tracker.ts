import type { JobProgress } from '@heddle/contracts-messages';

/** A running node, as far as it reports. */
interface RunningNode {
  readonly classType: string;
  /** ISO 8601 by this machine's clock. */
  readonly startedAt: string;
  step: number | null;
  steps: number | null;
}

/** Its address stays with the operator: `/readyz` and the log have it. */
const ENGINE_AWAY = 'waiting for the engine: it does not answer';

/**
 * Builds complete progress snapshots from an engine's node events. `value` is the number of finished nodes, cached ones
 * included, plus the fractions of running ones, divided by the nodes that an output depends on; it never decreases, not
 * even below an earlier attempt's value (decisions, Progress). An engine may run several nodes at once: the last one to
 * report is shown.
 */
export class ProgressTracker {
  readonly #nodesTotal: number;
  readonly #finished = new Set<string>();
  /** The last one to report is at the end. */
  readonly #running = new Map<string, RunningNode>();
  #value: number;
  #engineAway = false;

  constructor(nodesTotal: number, floor: number) {
    this.#nodesTotal = nodesTotal;
    this.#value = floor;
  }

  started(nodeId: string, classType: string): void {
    const startedAt = this.startOf(nodeId) ?? new Date().toISOString();
    this.#running.delete(nodeId);
    this.#running.set(nodeId, { classType, startedAt, step: null, steps: null });
  }

  /** Null if the node does not run. */
  startOf(nodeId: string): string | null {
    return this.#running.get(nodeId)?.startedAt ?? null;
  }

  stepped(nodeId: string, step: number, steps: number): void {
    const node = this.#running.get(nodeId);
    if (node === undefined || !(steps >= 1)) return;
    node.steps = Math.trunc(steps);
    node.step = Math.max(0, Math.min(Math.trunc(step), node.steps));
    this.#running.delete(nodeId);
    this.#running.set(nodeId, node);
    this.#raise();
  }

  /** While the engine does not answer, the message says so. What runs there may still go on. */
  engineAway(away: boolean): void {
    this.#engineAway = away;
  }

  finished(nodeId: string): void {
    this.#finished.add(nodeId);
    this.#running.delete(nodeId);
    this.#raise();
  }

  /** The last snapshot of a succeeded job: complete. */
  succeeded(): JobProgress {
    this.#value = 1;
    this.#running.clear();
    this.#engineAway = false;
    return { ...this.snapshot(), nodesDone: this.#nodesTotal };
  }

  snapshot(): JobProgress {
    const [currentNode, current] = [...this.#running].at(-1) ?? [null, null];
    return {
      value: this.#value,
      nodesDone: Math.min(this.#finished.size, this.#nodesTotal),
      nodesTotal: this.#nodesTotal,
      currentNode,
      currentNodeClass: current?.classType ?? null,
      step: current?.step ?? null,
      steps: current?.steps ?? null,
      message: this.#engineAway ? ENGINE_AWAY : current === null ? null : messageOf(current),
    };
  }

  #raise(): void {
    if (this.#nodesTotal === 0) return;
    let done = this.#finished.size;
    for (const [nodeId, { step, steps }] of this.#running) {
      if (step !== null && steps !== null && steps > 0 && !this.#finished.has(nodeId)) done += step / steps;
    }
    this.#value = Math.max(this.#value, Math.min(1, done / this.#nodesTotal));
  }
}

function messageOf({ classType, step, steps }: RunningNode): string {
  return steps === null ? classType : `${classType} ${step}/${steps}`;
}
