import type { EngineObserver, EngineOutcome, EngineRun } from '@heddle/engine-port';
import type { EngineCalls } from '../calls/engine-calls.js';
import type { EngineLimits, EngineTiming } from '../engine-options.js';
import { OutputFeed, OutputUnreadable } from '../outputs/output-feed.js';
import type { PromptEvent } from '../socket/engine-event.js';
import { UnreachableNotifier } from './unreachable-notifier.js';
import { cancelPrompt } from './cancel-prompt.js';
import type { EngineQueue } from './engine-queue.js';
import { engineFailure, withoutSecrets } from './execution-failure.js';
import { NodeBook } from './node-book.js';
import { PromptFate } from './prompt-fate.js';
import type { QueueWatch, WatchedRun } from './queue-watch.js';
import type { GraphNodes } from './read-graph.js';
import type { PromptHistoryEntry } from './read-history.js';
import { submitPrompt } from './submit-prompt.js';
import { withoutPaths } from './without-paths.js';

/** The engine services that a run uses. */
interface EngineServices {
  readonly calls: EngineCalls;
  readonly timing: EngineTiming;
  readonly limits: EngineLimits;
  readonly clientId: string;
  readonly previewMethod?: string;
  readonly watch: QueueWatch;
  /** Routes events of this prompt to `run` from now on. */
  readonly listen: (promptId: string, run: PromptRun) => void;
  /** A prompt that may still run although no caller waits for it. */
  readonly abandon: (promptId: string) => void;
}

/** Its images come only over the socket; no folder or history has them. */
const SENDS_PICTURES = 'SaveImageWebsocket';

const MISSED_PICTURES = 'the connection broke while the engine sent images that it does not store';
const MAX_HELD = 10_000;

/** One prompt on the engine, from submission to outcome. */
export class PromptRun implements WatchedRun {
  readonly #request: EngineRun;
  readonly #graph: GraphNodes;
  readonly #observer: EngineObserver;
  readonly #at: EngineServices;
  readonly #book: NodeBook;
  readonly #feed: OutputFeed;
  readonly #notifier: UnreachableNotifier;
  readonly #fate: PromptFate;
  /** Aborted when nothing more may be reported. */
  readonly #quiet = new AbortController();
  readonly #pictures = new Map<string, number>();
  #promptId: string;
  #canceled = false;
  /** Events received before the submission was answered: the engine may run half of a graph that is refused here. */
  #held: PromptEvent[] | null = [];

  constructor(request: EngineRun, graph: GraphNodes, observer: EngineObserver, surroundings: EngineServices) {
    this.#request = request;
    this.#graph = graph;
    this.#observer = observer;
    this.#at = surroundings;
    this.#promptId = request.runId;
    this.#book = new NodeBook(graph, observer);
    this.#notifier = new UnreachableNotifier(observer);
    this.#fate = new PromptFate(surroundings.calls, surroundings.timing, () => surroundings.watch.hurry());
    const { calls, limits } = surroundings;
    this.#feed = new OutputFeed(calls, observer, limits, this.#quiet.signal);
    const { broken } = this.#feed;
    broken.addEventListener('abort', () => this.#fate.fail(broken.reason), { once: true });
  }

  /** Resolves when the prompt has ended; rejects if the observer could not accept an output. */
  async run(signal: AbortSignal): Promise<EngineOutcome> {
    const cancel = (): void => this.#cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#at.listen(this.#promptId, this);
      // A cancel that the engine does not answer settles the run while the submission is still open.
      const early = await Promise.race([this.#submit(), this.#fate.settled.then(() => null)]);
      if (early !== null) return early;
      if (this.#canceled) this.#askToStop();
      this.#at.watch.add(this);
      this.#release();
      return this.#clean(await this.#ending());
    } catch (error) {
      this.#quiet.abort();
      this.#at.abandon(this.#promptId);
      if (this.#canceled) return { kind: 'interrupted' };
      if (error instanceof OutputUnreadable) return engineFailure(error.message);
      throw error;
    } finally {
      this.#quiet.abort();
      this.#fate.close();
      this.#at.watch.remove(this);
      signal.removeEventListener('abort', cancel);
    }
  }

  get nextLookMs(): number | null {
    return this.#fate.nextLookMs;
  }

  queueSeen(queue: EngineQueue): Promise<void> {
    return this.#fate.queueSeen(queue, this.#promptId);
  }

  engineAnswered(answered: boolean): void {
    if (!this.#quiet.signal.aborted) this.#notifier.notify(!answered);
  }

  engineGone(reason: string): void {
    this.#at.abandon(this.#promptId);
    this.#fate.settle(this.#canceled ? { kind: 'interrupted' } : { kind: 'lost', reason });
  }

  /** The socket broke: its messages meanwhile are lost. */
  deafened(): void {
    this.#fate.missedSomething();
  }

  /** A socket event of this prompt. */
  hear(event: PromptEvent): void {
    if (this.#held === null) return this.#heard(event);
    if (this.#held.length < MAX_HELD) this.#held.push(event);
    else if (event.kind === 'log') return;
    else this.#fate.missedSomething();
  }

  /** The whole submission was accepted: held events count. */
  #release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const event of held) this.#heard(event);
  }

  #heard(event: PromptEvent): void {
    try {
      this.#take(event);
    } catch (error) {
      this.#fate.fail(error);
    }
  }

  #take(event: PromptEvent): void {
    if (event.kind === 'over') this.#fate.over(this.#promptId);
    else if (event.kind === 'ending') this.#fate.ending(event.how);
    if (this.#quiet.signal.aborted || this.#fate.isSettled) return;
    if (event.kind === 'cached') this.#book.cached(event.nodes);
    else if (event.kind === 'executing') this.#book.executing(event.nodeId, event.displayNodeId);
    else if (event.kind === 'states') this.#book.states(event.nodes);
    else if (event.kind === 'progress') this.#book.progress(event.nodeId, event.value, event.max);
    else if (event.kind === 'executed') this.#show(event.nodeId, event.displayNodeId, event.output);
    else if (event.kind === 'preview') this.#preview(event);
    else if (event.kind === 'log') this.#observer.log?.(withoutPaths(event.text));
  }

  async #submit(): Promise<EngineOutcome | null> {
    const { calls, clientId, previewMethod } = this.#at;
    const { workflow, credentials } = this.#request;
    const promptId = this.#promptId;
    const submitted = await submitPrompt(calls, { promptId, clientId, workflow, credentials, previewMethod });
    // The run ended before the engine answered: a prompt accepted now belongs to nobody.
    if (this.#fate.isSettled) this.#at.abandon(promptId);
    switch (submitted.kind) {
      case 'accepted':
        if (submitted.promptId !== this.#promptId) this.#at.listen(submitted.promptId, this);
        this.#promptId = submitted.promptId;
        return null;
      case 'partly':
        this.#quiet.abort();
        await cancelPrompt(calls, submitted.promptId).catch(() => this.#at.abandon(submitted.promptId));
        return this.#clean(submitted.failure);
      case 'refused':
        return this.#clean(submitted.failure);
      case 'away':
        return { kind: 'lost', reason: submitted.reason, beforeStart: true };
      case 'unknown':
        this.#fate.missedSomething();
        return null;
    }
  }

  #isCanceled(): boolean {
    return this.#canceled;
  }

  #cancel(): void {
    if (this.#canceled) return;
    this.#canceled = true;
    this.#quiet.abort();
    this.#fate.canceled(() => this.#at.abandon(this.#promptId));
    this.#askToStop();
  }

  #askToStop(): void {
    cancelPrompt(this.#at.calls, this.#promptId).then(
      () => this.#at.watch.lookNow(),
      () => this.#at.abandon(this.#promptId),
    );
  }

  async #ending(): Promise<EngineOutcome> {
    const ended = await this.#fate.settled;
    if (ended.kind !== 'history') return ended;
    const { ending, outputs, displayNodes } = ended.entry;
    // Outputs after the cancel were not offered, so the run did not succeed for its job.
    if (this.#canceled) return { kind: 'interrupted' };
    if (ending.kind === 'succeeded') {
      if (this.#missedPictures()) return { kind: 'lost', reason: MISSED_PICTURES };
      this.#book.finishRunning();
    }
    this.#showMissed(outputs, displayNodes);
    await Promise.race([this.#feed.drain(), this.#fate.stopped]);
    return this.#isCanceled() ? { kind: 'interrupted' } : ending;
  }

  /** Reports what the socket missed while it was closed, or because messages were lost. */
  #showMissed(outputs: PromptHistoryEntry['outputs'], displayNodes: PromptHistoryEntry['displayNodes']): void {
    for (const [nodeId, output] of outputs) this.#show(nodeId, displayNodes.get(nodeId) ?? nodeId, output);
  }

  #show(nodeId: string, displayNodeId: string, output: Parameters<OutputFeed['add']>[2]): void {
    this.#feed.add(nodeId, this.#book.place(nodeId, displayNodeId) ?? nodeId, output);
  }

  #preview({ nodeId, contentType, bytes }: Extract<PromptEvent, { kind: 'preview' }>): void {
    if (!this.#graph.classes.has(nodeId)) return;
    this.#observer.preview({ nodeId, contentType, bytes });
    if (this.#graph.classes.get(nodeId) !== SENDS_PICTURES) return;
    const index = this.#pictures.get(nodeId) ?? 0;
    this.#pictures.set(nodeId, index + 1);
    this.#feed.addPicture(nodeId, index, contentType, bytes);
  }

  /** Images sent while the socket was closed cannot be recovered. */
  #missedPictures(): boolean {
    const sends = [...this.#graph.needed].some((nodeId) => this.#graph.classes.get(nodeId) === SENDS_PICTURES);
    return sends && !this.#fate.heardAll;
  }

  #clean(outcome: EngineOutcome): EngineOutcome {
    if (outcome.kind !== 'failed') return outcome;
    const { apiKey, authToken } = this.#request.credentials ?? {};
    return withoutSecrets(outcome, [apiKey?.reveal() ?? '', authToken?.reveal() ?? '']);
  }
}
