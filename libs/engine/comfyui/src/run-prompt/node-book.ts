import type { EngineObserver } from '@heddle/engine-port';
import type { NodeState } from '../socket/engine-event.js';
import type { GraphNodes } from './read-graph.js';

/**
 * Tracks which nodes of a prompt run and which have ended, and reports each to the observer once, whatever the order
 * and number of messages. Nodes created by the engine count as the graph node that they stand for.
 */
export class NodeBook {
  readonly #graph: GraphNodes;
  readonly #observer: EngineObserver;
  /** Running nodes with their start times. */
  readonly #running = new Map<string, string>();
  readonly #ended = new Set<string>();
  readonly #notified = new Map<string, string>();
  /** Without snapshots a node has ended when the next one starts. */
  #hasSnapshots = false;

  constructor(graph: GraphNodes, observer: EngineObserver) {
    this.#graph = graph;
    this.#observer = observer;
  }

  /** The graph node that an engine id stands for. */
  place(nodeId: string, displayNodeId: string): string | null {
    if (this.#graph.classes.has(nodeId)) return nodeId;
    return this.#graph.classes.has(displayNodeId) ? displayNodeId : null;
  }

  cached(nodes: readonly string[]): void {
    for (const nodeId of nodes) if (this.#graph.needed.has(nodeId)) this.#finish(nodeId, true);
  }

  executing(nodeId: string, displayNodeId: string): void {
    const place = this.place(nodeId, displayNodeId);
    if (!this.#hasSnapshots) {
      for (const other of [...this.#running.keys()]) if (other !== place) this.#finish(other, false);
    }
    if (place !== null) this.#start(place);
  }

  progress(nodeId: string, value: number, max: number): void {
    const classType = this.#graph.classes.get(nodeId);
    if (classType === undefined || !(max > 0) || this.#ended.has(nodeId)) return;
    this.#start(nodeId);
    const key = `${value}/${max}`;
    if (this.#notified.get(nodeId) === key) return;
    this.#notified.set(nodeId, key);
    this.#observer.nodeProgress({ nodeId, step: value, steps: max });
  }

  states(nodes: readonly NodeState[] | null): void {
    this.#hasSnapshots = nodes !== null;
    for (const { nodeId, displayNodeId, state, value, max } of nodes ?? []) {
      const place = this.place(nodeId, displayNodeId);
      if (place === null || state === 'error') continue;
      if (state === 'finished') {
        if (place === nodeId) this.#finish(place, false);
        continue;
      }
      this.#start(place);
      // A node without its own progress bar is reported as 0 of 1.
      if (max > 1 || (value > 0 && value < max)) this.progress(place, value, max);
    }
  }

  /** The prompt succeeded: running nodes have ended. */
  finishRunning(): void {
    for (const nodeId of [...this.#running.keys()]) this.#finish(nodeId, false);
  }

  #start(nodeId: string): void {
    const classType = this.#graph.classes.get(nodeId);
    if (classType === undefined || this.#running.has(nodeId) || this.#ended.has(nodeId)) return;
    this.#running.set(nodeId, new Date().toISOString());
    this.#observer.nodeStarted({ nodeId, classType });
  }

  #finish(nodeId: string, cached: boolean): void {
    const classType = this.#graph.classes.get(nodeId);
    if (classType === undefined || this.#ended.has(nodeId)) return;
    if (!cached) this.#start(nodeId);
    const endedAt = new Date().toISOString();
    const startedAt = this.#running.get(nodeId) ?? endedAt;
    this.#running.delete(nodeId);
    this.#ended.add(nodeId);
    this.#observer.nodeFinished({ nodeId, classType, startedAt, endedAt, cached });
  }
}
