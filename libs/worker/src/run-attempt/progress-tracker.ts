import type { JobProgress } from '@heddle/contracts-messages';

/**
 * Turns what an engine tells of its nodes into complete progress snapshots. `value` counts finished nodes plus the
 * fraction of the running one, over the nodes that an output depends on; it never falls, not even below what an
 * earlier attempt has shown (decisions, Progress).
 */
export class ProgressTracker {
  readonly #nodesTotal: number;
  readonly #finished = new Set<string>();
  #value: number;
  #currentNode: string | null = null;
  #currentNodeClass: string | null = null;
  #step: number | null = null;
  #steps: number | null = null;

  constructor(nodesTotal: number, floor: number) {
    this.#nodesTotal = nodesTotal;
    this.#value = floor;
  }

  started(nodeId: string, classType: string): void {
    this.#currentNode = nodeId;
    this.#currentNodeClass = classType;
    this.#step = null;
    this.#steps = null;
  }

  stepped(nodeId: string, step: number, steps: number): void {
    if (nodeId !== this.#currentNode || !(steps > 0)) return;
    this.#step = Math.max(0, Math.min(Math.trunc(step), Math.trunc(steps)));
    this.#steps = Math.trunc(steps);
    this.#raise(this.#step / steps);
  }

  finished(nodeId: string): void {
    this.#finished.add(nodeId);
    if (nodeId === this.#currentNode) {
      this.#currentNode = null;
      this.#currentNodeClass = null;
      this.#step = null;
      this.#steps = null;
    }
    this.#raise(0);
  }

  /** The last snapshot of a job that succeeded: everything done. */
  succeeded(): JobProgress {
    this.#value = 1;
    this.#currentNode = null;
    this.#currentNodeClass = null;
    this.#step = null;
    this.#steps = null;
    return { ...this.snapshot(), nodesDone: this.#nodesTotal };
  }

  snapshot(): JobProgress {
    return {
      value: this.#value,
      nodesDone: Math.min(this.#finished.size, this.#nodesTotal),
      nodesTotal: this.#nodesTotal,
      currentNode: this.#currentNode,
      currentNodeClass: this.#currentNodeClass,
      step: this.#step,
      steps: this.#steps,
      message: this.#message(),
    };
  }

  #raise(fractionOfCurrent: number): void {
    const done = Math.min(this.#finished.size, this.#nodesTotal) + fractionOfCurrent;
    const value = this.#nodesTotal > 0 ? Math.min(1, done / this.#nodesTotal) : 0;
    if (value > this.#value) this.#value = value;
  }

  #message(): string | null {
    if (this.#currentNodeClass === null) return null;
    return this.#steps === null ? this.#currentNodeClass : `${this.#currentNodeClass} ${this.#step}/${this.#steps}`;
  }
}
