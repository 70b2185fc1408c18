/** Longer snapshots are not sent for every change: their total grows with the square of the nodes. */
const LONG_SNAPSHOT = 32 * 1024;
/** Characters of long snapshots sent per millisecond. */
const LONG_RATE = 1024;

/**
 * The `progress_state` of one prompt: each message contains every node started so far. Short ones are sent for every
 * change, as the engine does; for a long graph only some, always including the last.
 */
export class ProgressState {
  private readonly texts = new Map<string, string>();
  /** Nodes that count the images they send, with the number. */
  private readonly counts = new Map<string, number>();
  private length = 0;
  private sentAt = 0;
  private waiting = false;

  constructor(
    private readonly promptId: string,
    private readonly send: (frame: string) => void,
  ) {}

  start(nodeId: string): void {
    this.put(nodeId, 0, 1, 'running');
  }

  step(nodeId: string, value: number, max: number): void {
    this.put(nodeId, value, max, 'running');
  }

  /** A step of a node that ends at `count` of `count`. */
  counted(nodeId: string, index: number, count: number): void {
    this.counts.set(nodeId, count);
    this.step(nodeId, index, count);
  }

  finish(nodeId: string): void {
    const count = this.counts.get(nodeId) ?? 1;
    this.put(nodeId, count, count, 'finished');
  }

  /** Sends the newest state if it was held back. */
  flush(): void {
    if (this.waiting) this.sendNow();
  }

  private put(nodeId: string, value: number, max: number, state: 'running' | 'finished'): void {
    const id = JSON.stringify(nodeId);
    const prompt = JSON.stringify(this.promptId);
    const text =
      `${id}:{"value":${value},"max":${max},"state":"${state}","node_id":${id},"prompt_id":${prompt},` +
      `"display_node_id":${id},"parent_node_id":null,"real_node_id":${id}}`;
    this.length += text.length - (this.texts.get(nodeId)?.length ?? 0);
    this.texts.set(nodeId, text);
    const pause = this.length > LONG_SNAPSHOT ? this.length / LONG_RATE : 0;
    if (performance.now() - this.sentAt < pause) this.waiting = true;
    else this.sendNow();
  }

  private sendNow(): void {
    this.waiting = false;
    this.sentAt = performance.now();
    const nodes = [...this.texts.values()].join(',');
    this.send(`{"type":"progress_state","data":{"prompt_id":${JSON.stringify(this.promptId)},"nodes":{${nodes}}}}`);
  }
}
