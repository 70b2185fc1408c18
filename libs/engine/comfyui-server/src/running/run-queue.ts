import type { PromptHistory } from '../prompts/prompt-history.js';
import type { PromptQueue } from '../prompts/prompt-queue.js';
import type { QueuedPrompt } from '../prompts/queued-prompt.js';
import type { SocketHub } from '../sockets/socket-hub.js';
import type { PromptEnding } from './prompt-ending.js';
import type { PromptRunner } from './prompt-runner.js';
import { PromptStage } from './prompt-stage.js';

/** Dependencies of the run queue. */
interface RunningParts {
  readonly queue: PromptQueue;
  readonly history: PromptHistory;
  readonly hub: SocketHub;
  readonly runner: PromptRunner;
  /** Called at the end of each prompt. */
  readonly onEnded?: (ended: EndedRun) => void;
}

/** The end of a prompt, for logging. */
export interface EndedRun {
  readonly id: string;
  readonly status: PromptEnding['kind'];
  /** From start to end. */
  readonly milliseconds: number;
}

/** Runs waiting prompts one after the other and reports the queue to all clients. */
export class RunQueue {
  private stage: PromptStage | null = null;
  private interruption = new AbortController();
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: RunningParts) {}

  get current(): QueuedPrompt | null {
    return this.stage?.prompt ?? null;
  }

  get currentNode(): string | null {
    return this.stage?.current ?? null;
  }

  get remaining(): number {
    return this.parts.queue.pending.length + (this.stage === null ? 0 : 1);
  }

  /** False if too many prompts wait. */
  enqueue(prompt: QueuedPrompt): boolean {
    if (!this.parts.queue.add(prompt)) return false;
    this.parts.hub.sendStatus();
    // The client is answered before the prompt starts.
    if (this.stage === null) setImmediate(() => this.next());
    return true;
  }

  /** Interrupts the running prompt, or only the prompt with this id. Returns whether it did. */
  interrupt(id: string | null): boolean {
    if (this.stage === null || (id !== null && this.stage.prompt.id !== id)) return false;
    this.interruption.abort();
    return true;
  }

  /** Removes a waiting prompt without a trace. */
  delete(id: string): boolean {
    const { queue, hub } = this.parts;
    if (!queue.remove(id)) return false;
    // For the last prompt the engine empties its queue and reports both changes.
    if (queue.pending.length === 0) hub.sendStatus();
    hub.sendStatus();
    return true;
  }

  clear(): void {
    this.parts.queue.clear();
    this.parts.hub.sendStatus();
  }

  /** Interrupts the running prompt and starts no more. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.parts.queue.clear();
    this.interruption.abort();
    await this.running;
  }

  private next(): void {
    if (this.stage !== null || this.stopped) return;
    const prompt = this.parts.queue.takeFirst();
    if (prompt === null) return;
    this.running = this.run(prompt).then(() => this.next());
  }

  private async run(prompt: QueuedPrompt): Promise<void> {
    const { hub, history, runner, onEnded } = this.parts;
    const began = performance.now();
    const stage = new PromptStage(prompt, hub);
    this.stage = stage;
    this.interruption = new AbortController();
    hub.sendStatus();
    const ending = await runner.run(prompt, stage, this.interruption.signal).catch(asFailure);
    const record = stage.end(ending);
    history.add(prompt, record);
    this.stage = null;
    hub.sendStatus();
    stage.sendEnd();
    onEnded?.({ id: prompt.id, status: ending.kind, milliseconds: Math.round(performance.now() - began) });
  }
}

function asFailure(error: unknown): PromptEnding {
  const message = error instanceof Error ? error.message : 'unknown failure';
  return { kind: 'failed', nodeId: null, exceptionType: 'RuntimeError', message: `${message}\n`, traceback: [] };
}
