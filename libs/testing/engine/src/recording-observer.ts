import { buffer } from 'node:stream/consumers';
import type { EngineObserver, EngineOutput } from '@heddle/engine-port';

/** An output with its bytes. */
export interface ReadOutput extends Omit<EngineOutput, 'open'> {
  readonly bytes: Buffer;
}

/** Records an engine's calls, for tests; `wait` lets a test delay an output. */
export class RecordingObserver implements EngineObserver {
  /** Every call in order: `started 1`, `progress 1`, `finished 1`, `cached 1`, `output 1/images/0`. */
  readonly calls: string[] = [];
  readonly outputs: ReadOutput[] = [];
  readonly finished: Parameters<EngineObserver['nodeFinished']>[0][] = [];
  logged = '';
  log?: (text: string) => void;
  private readonly watchers = new Set<() => void>();

  constructor(private readonly wait: (output: EngineOutput) => Promise<void> = () => Promise.resolve()) {}

  nodeStarted({ nodeId }: Parameters<EngineObserver['nodeStarted']>[0]): void {
    this.add(`started ${nodeId}`);
  }

  nodeProgress({ nodeId }: Parameters<EngineObserver['nodeProgress']>[0]): void {
    this.add(`progress ${nodeId}`);
  }

  nodeFinished(node: Parameters<EngineObserver['nodeFinished']>[0]): void {
    this.finished.push(node);
    this.add(`${node.cached ? 'cached' : 'finished'} ${node.nodeId}`);
  }

  /** Keeps the engine's log in `logged`; without this call the observer has no `log`. */
  keepingLog(): this {
    this.log = (text) => void (this.logged += text);
    return this;
  }

  engineAway(away: boolean): void {
    this.add(away ? 'engine away' : 'engine back');
  }

  preview({ nodeId }: Parameters<EngineObserver['preview']>[0]): void {
    this.add(`preview ${nodeId}`);
  }

  async output(output: EngineOutput): Promise<void> {
    this.add(`output ${output.key}`);
    const { nodeId, key, name, type, contentType, sizeBytes } = output;
    const bytes = await buffer(await output.open());
    await this.wait(output);
    this.outputs.push({ nodeId, key, name, type, contentType, sizeBytes, bytes });
  }

  /** Resolves once a call with this text was made. */
  async called(call: string): Promise<void> {
    while (!this.calls.includes(call)) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }

  private add(call: string): void {
    this.calls.push(call);
    const woken = [...this.watchers];
    this.watchers.clear();
    for (const wake of woken) wake();
  }
}
