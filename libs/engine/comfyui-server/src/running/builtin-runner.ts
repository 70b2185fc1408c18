import type { BuiltinEngine, BuiltinObserver, BuiltinRun, RaisedError, SentPicture } from '@heddle/engine-builtin';
import type { EngineOutcome } from '@heddle/engine-port';
import type { QueuedPrompt } from '../prompts/queued-prompt.js';
import type { PromptEnding } from './prompt-ending.js';
import type { PromptRunner } from './prompt-runner.js';
import type { PromptStage } from './prompt-stage.js';

const PREVIEW_TYPES = ['image/jpeg', 'image/png'] as const;

/** Runs prompts on the built-in engine. */
export class BuiltinRunner implements PromptRunner {
  private engine: BuiltinEngine;
  private stale = false;
  private changing: Promise<void> = Promise.resolve();

  constructor(private readonly create: () => BuiltinEngine) {
    this.engine = create();
  }

  /** Starts the engine's process before the first prompt needs it. */
  prestart(): Promise<void> {
    return this.engine.prestart();
  }

  /** Results of earlier prompts are dropped before the next one, and their memory is freed. */
  freeMemory(): void {
    this.stale = true;
  }

  async close(): Promise<void> {
    await this.changing;
    await this.engine.close();
  }

  async run(prompt: QueuedPrompt, stage: PromptStage, signal: AbortSignal): Promise<PromptEnding> {
    const observer = new StageObserver(stage);
    const pngInfo = prompt.extraData['extra_pnginfo'];
    const run: BuiltinRun = {
      runId: prompt.id,
      workflow: Buffer.from(prompt.graphText, 'utf8'),
      files: [],
      targets: prompt.outputs,
      ...(typeof pngInfo === 'object' && pngInfo !== null ? { extraPngInfo: JSON.stringify(pngInfo) } : {}),
    };
    if (this.stale) await this.replaceEngine();
    const outcome = await this.engine.run(run, observer, signal);
    // A run that ends before its first node has reported nothing yet.
    observer.cached([]);
    return endingOf(outcome, observer.error);
  }

  private async replaceEngine(): Promise<void> {
    this.stale = false;
    const old = this.engine;
    this.engine = this.create();
    this.changing = old.close();
    await this.changing;
  }
}

/** Translates the built-in engine's events to the engine's messages. */
class StageObserver implements BuiltinObserver {
  error: RaisedError | null = null;
  private begun = false;

  /** Absent while nobody reads it: the engine does not collect it then. */
  readonly log?: (text: string) => void;

  constructor(private readonly stage: PromptStage) {
    if (stage.isLogRead) this.log = (text) => this.stage.log(text);
  }

  cached(nodeIds: readonly string[]): void {
    if (this.begun) return;
    this.begun = true;
    this.stage.start(nodeIds);
  }

  executed(nodeId: string, ui: Parameters<PromptStage['nodeOutput']>[1]): void {
    // Outputs shown while no node runs come from a cached node and are repeated.
    if (this.stage.current === nodeId) this.stage.nodeOutput(nodeId, ui);
    else this.stage.repeatOutput(nodeId, ui);
  }

  nodeStarted({ nodeId }: { nodeId: string }): void {
    this.cached([]);
    this.stage.nodeStarted(nodeId);
  }

  nodeProgress({ nodeId, step, steps }: { nodeId: string; step: number; steps: number }): void {
    // For a node of one step its end is enough.
    if (steps > 1) this.stage.nodeProgress(nodeId, step, steps);
  }

  nodeFinished({ nodeId, cached }: { nodeId: string; cached: boolean }): void {
    if (!cached) this.stage.nodeFinished(nodeId);
  }

  sentPicture({ nodeId, bytes, index, count }: SentPicture & { nodeId: string }): void {
    this.stage.sentPicture({ nodeId, contentType: 'image/png', bytes }, index, count);
  }

  preview({ nodeId, contentType, bytes }: { nodeId: string; contentType: string; bytes: Uint8Array }): void {
    const type = PREVIEW_TYPES.find((known) => known === contentType);
    if (type !== undefined) this.stage.preview(nodeId, type, bytes);
  }

  progressText(nodeId: string, text: string): void {
    this.stage.text(nodeId, text);
  }

  raised(error: RaisedError): void {
    this.error = error;
  }

  /** Never called: results are files in the engine's folders. */
  async output(): Promise<void> {
    throw new Error('an output arrived outside the folders');
  }
}

function endingOf(outcome: EngineOutcome, error: RaisedError | null): PromptEnding {
  if (outcome.kind === 'succeeded' || outcome.kind === 'interrupted') return outcome;
  if (error !== null) {
    const { nodeId, type, message, traceback, currentInputs } = error;
    return { kind: 'failed', nodeId, exceptionType: type, message, traceback, currentInputs };
  }
  if (outcome.kind === 'lost') {
    const message = `${outcome.reason}\n`;
    return { kind: 'failed', nodeId: null, exceptionType: 'RuntimeError', message, traceback: [] };
  }
  const { code, nodeId, message, traceback } = outcome;
  const exceptionType = code === 'out_of_memory' ? 'torch.OutOfMemoryError' : 'RuntimeError';
  return { kind: 'failed', nodeId, exceptionType, message, traceback: traceback === null ? [] : [traceback] };
}
