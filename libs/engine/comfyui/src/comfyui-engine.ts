import { randomUUID } from 'node:crypto';
import type { Engine, EngineObserver, EngineOutcome, EngineRun } from '@heddle/engine-port';
import { EngineCallError } from './calls/call-error.js';
import { ENGINE_LIMITS, ENGINE_TIMING } from './engine-options.js';
import type { ComfyUiOptions, EngineLimits, EngineTiming } from './engine-options.js';
import { EngineLink } from './engine-link.js';
import { InputRefused } from './inputs/file-names.js';
import { InputFiles, withNames } from './inputs/input-files.js';
import { LocalInputFolder } from './inputs/local-input-folder.js';
import { EngineTurns } from './run-prompt/engine-turns.js';
import { AbandonedPrompts } from './run-prompt/abandoned-prompts.js';
import { UnreachableNotifier } from './run-prompt/unreachable-notifier.js';
import { engineFailure } from './run-prompt/execution-failure.js';
import { forgetResults } from './run-prompt/forget-results.js';
import { PromptRun } from './run-prompt/prompt-run.js';
import { QueueWatch } from './run-prompt/queue-watch.js';
import { readGraph } from './run-prompt/read-graph.js';
import { EngineWatch } from './watch-engine/engine-watch.js';
import type { EngineChange } from './watch-engine/engine-watch.js';

/**
 * Drives a real engine through its HTTP interface and one WebSocket, for any number of runs. The engine may restart, go
 * away, or answer late or with garbage: a run then ends as lost, or continues if the engine is found again.
 */
export class ComfyUiEngine implements Engine {
  readonly #timing: EngineTiming;
  readonly #limits: EngineLimits;
  readonly #previewMethod: string | undefined;
  readonly #clientId = `heddle-${randomUUID()}`;
  readonly #link: EngineLink;
  readonly #inputs: InputFiles;
  readonly #abandoned: AbandonedPrompts;
  readonly #watch: QueueWatch;
  readonly #turns: EngineTurns;
  readonly #runs = new Map<string, PromptRun>();
  readonly #closing = new AbortController();
  readonly #active = new Set<Promise<unknown>>();

  constructor(options: ComfyUiOptions) {
    this.#timing = { ...ENGINE_TIMING, ...options.timing };
    this.#limits = { ...ENGINE_LIMITS, ...options.limits };
    this.#link = new EngineLink(options.url, this.#clientId, this.#timing, this.#limits);
    this.#previewMethod = options.previewMethod;
    const { calls } = this.#link;
    this.#inputs = new InputFiles(calls, options.inputFolder ? new LocalInputFolder(options.inputFolder) : null);
    this.#abandoned = new AbandonedPrompts(calls);
    this.#turns = new EngineTurns(() => forgetResults(calls, this.#timing.blindPollMs, this.#closing.signal));
    this.#watch = new QueueWatch(calls, this.#timing, () => this.#link.isOpen);
    this.#link.listen({
      opened: () => this.#returned(),
      closed: () => this.#broke(),
      event: (promptId, event) => this.#runs.get(promptId)?.hear(event),
    });
  }

  /** `comfyui/<version>`; the version is unknown until the engine was reached. */
  get environment(): string {
    return `comfyui/${this.#link.version ?? 'unknown'}`;
  }

  /** @throws EngineCallError if the engine does not answer and never did. */
  async objectInfo(): Promise<string> {
    this.#link.start();
    return this.#link.catalogue();
  }

  async whenReady(signal: AbortSignal): Promise<void> {
    this.#link.start();
    await this.#link.reached(AbortSignal.any([signal, this.#closing.signal]));
  }

  /** Reports when the engine goes away, returns or changes its node classes; closed with the engine. */
  watch(report: (change: EngineChange) => void): EngineWatch {
    this.#link.start();
    const watch = new EngineWatch(this.#link, this.#timing.watchMs, report, () => this.#inputs.sweep());
    this.#closing.signal.addEventListener('abort', () => watch.close());
    return watch;
  }

  async run(request: EngineRun, observer: EngineObserver, signal: AbortSignal): Promise<EngineOutcome> {
    if (signal.aborted) return { kind: 'interrupted' };
    const running = this.#run(request, observer, AbortSignal.any([signal, this.#closing.signal]));
    this.#active.add(running);
    try {
      const outcome = await running;
      const wasClosed = this.#closing.signal.aborted && !signal.aborted;
      return wasClosed && outcome.kind === 'interrupted' ? { kind: 'lost', reason: 'the driver was closed' } : outcome;
    } finally {
      this.#active.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // Runs ask the engine to stop; wait at most as long as for an ordinary answer.
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, 2_000)));
    await Promise.race([Promise.allSettled([...this.#active]), patience]);
    clearTimeout(timer);
    await this.#link.close();
  }

  async #run(request: EngineRun, observer: EngineObserver, signal: AbortSignal): Promise<EngineOutcome> {
    const graph = readGraph(request.workflow, this.#link.outputClasses);
    if (typeof graph === 'string') return engineFailure(graph);
    this.#link.start();
    const patience = AbortSignal.timeout(this.#timing.unreachableMs);
    const notifier = new UnreachableNotifier(observer);
    if (!(await this.#link.reached(AbortSignal.any([signal, patience]), () => notifier.notify(true)))) {
      return signal.aborted
        ? { kind: 'interrupted' }
        : { kind: 'lost', reason: 'the engine is unreachable', beforeStart: true };
    }
    notifier.notify(false);
    try {
      const names = await this.#inputs.provide(request.files);
      if (signal.aborted) return { kind: 'interrupted' };
      // Before the prompt, so that its first lines are not missed.
      if (observer.log !== undefined) await this.#link.wantLog();
      if (signal.aborted) return { kind: 'interrupted' };
      const workflow = withNames(request.workflow, names);
      const run = new PromptRun({ ...request, workflow }, graph, observer, this.#surroundings());
      return await this.#inTurn(request.account ?? null, signal, () => this.#drive(run, signal));
    } catch (error) {
      if (error instanceof InputRefused) return engineFailure(error.message);
      if (error instanceof EngineCallError) return lostBy(error);
      throw error;
    } finally {
      this.#inputs.release(request.files);
    }
  }

  async #inTurn(
    account: string | null,
    signal: AbortSignal,
    drive: () => Promise<EngineOutcome>,
  ): Promise<EngineOutcome> {
    const endTurn = await this.#turns.enter(account, signal);
    if (endTurn === null) return { kind: 'interrupted' };
    try {
      return await drive();
    } finally {
      endTurn();
    }
  }

  async #drive(run: PromptRun, signal: AbortSignal): Promise<EngineOutcome> {
    try {
      return await run.run(signal);
    } finally {
      for (const [promptId, listener] of this.#runs) if (listener === run) this.#runs.delete(promptId);
    }
  }

  #surroundings(): ConstructorParameters<typeof PromptRun>[3] {
    return {
      calls: this.#link.calls,
      timing: this.#timing,
      limits: this.#limits,
      clientId: this.#clientId,
      previewMethod: this.#previewMethod,
      watch: this.#watch,
      listen: (promptId, run) => void this.#runs.set(promptId, run),
      abandon: (promptId) => this.#abandoned.add(promptId),
    };
  }

  #returned(): void {
    this.#inputs.doubt();
    this.#watch.lookNow();
    void this.#abandoned.retry();
  }

  #broke(): void {
    for (const run of this.#runs.values()) run.deafened();
    this.#watch.lookNow();
  }
}

/** The input files could not be delivered; an engine that accepted no connection has not seen the run. */
function lostBy({ failure, message }: EngineCallError): EngineOutcome {
  return failure === 'refused'
    ? { kind: 'lost', reason: message, beforeStart: true }
    : { kind: 'lost', reason: message };
}
