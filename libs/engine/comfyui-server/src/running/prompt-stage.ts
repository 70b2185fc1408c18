import { messageFrame, textFrame, type PreviewPicture } from '../sockets/frames.js';
import type { SocketHub } from '../sockets/socket-hub.js';
import type { NodeOutput, PromptRecord } from '../prompts/prompt-history.js';
import type { QueuedPrompt } from '../prompts/queued-prompt.js';
import { ProgressState } from './progress-state.js';
import type { PromptEnding } from './prompt-ending.js';

type StatusMessage = readonly [string, Readonly<Record<string, unknown>>];

/**
 * Sends a prompt's events to its client in the engine's format and order, and keeps what the history shows. For a
 * prompt without a client only its progress is sent, to all clients (engine.md 2).
 */
export class PromptStage {
  /** The running node. */
  current: string | null = null;
  private readonly progress: ProgressState;
  private readonly messages: StatusMessage[] = [];
  private readonly outputs: Record<string, NodeOutput> = Object.create(null) as Record<string, NodeOutput>;
  private readonly executed: string[] = [];

  constructor(
    readonly prompt: QueuedPrompt,
    private readonly hub: SocketHub,
  ) {
    this.progress = new ProgressState(prompt.id, (frame) => hub.sendTo(prompt.clientId, frame));
  }

  /** Called first, with the nodes whose results are reused. */
  start(cached: readonly string[]): void {
    this.sendStatus('execution_start', {});
    this.sendStatus('execution_cached', { nodes: cached });
  }

  /** Repeats the output of a reused node. */
  repeatOutput(nodeId: string, output: NodeOutput): void {
    this.outputs[nodeId] = output;
    this.sendToClient('executed', { node: nodeId, display_node: nodeId, output, prompt_id: this.prompt.id });
    this.progress.finish(nodeId);
  }

  nodeStarted(nodeId: string): void {
    this.current = nodeId;
    this.progress.start(nodeId);
    this.sendToClient('executing', { node: nodeId, display_node: nodeId, prompt_id: this.prompt.id });
  }

  nodeProgress(nodeId: string, value: number, max: number): void {
    this.progress.step(nodeId, value, max);
    const { id, clientId } = this.prompt;
    this.hub.sendTo(clientId, messageFrame('progress', { value, max, prompt_id: id, node: nodeId }));
  }

  /** Output of a node, before it ends. */
  nodeOutput(nodeId: string, output: NodeOutput): void {
    this.outputs[nodeId] = output;
    this.sendToClient('executed', { node: nodeId, display_node: nodeId, output, prompt_id: this.prompt.id });
  }

  nodeFinished(nodeId: string): void {
    this.executed.push(nodeId);
    this.progress.finish(nodeId);
  }

  preview(nodeId: string, contentType: 'image/jpeg' | 'image/png', bytes: Uint8Array): void {
    const { id, clientId } = this.prompt;
    this.hub.sendPreview(clientId, { nodeId, promptId: id, contentType, bytes });
  }

  /** One of `count` images that a node sends instead of saving them. */
  sentPicture(picture: Omit<PreviewPicture, 'promptId'>, index: number, count: number): void {
    const { id, clientId } = this.prompt;
    const { nodeId } = picture;
    this.progress.counted(nodeId, index, count);
    this.hub.sendPreview(clientId, { ...picture, promptId: id });
    this.hub.sendTo(clientId, messageFrame('progress', { value: index, max: count, prompt_id: id, node: nodeId }));
  }

  /** Text of a node, sent to all clients. */
  text(nodeId: string, text: string): void {
    this.hub.sendTo(null, textFrame(nodeId, text));
  }

  /** Whether a client reads the log, which belongs to the whole engine. */
  get isLogRead(): boolean {
    return this.hub.isLogRead;
  }

  log(text: string): void {
    this.hub.sendLog(text);
  }

  /** Sends any JSON message to the prompt's client or, without one, to all. */
  send(type: string, data: Readonly<Record<string, unknown>>): void {
    this.hub.sendTo(this.prompt.clientId, messageFrame(type, data));
  }

  /** Sends the last messages before the prompt is in the history, and returns its record. */
  end(ending: PromptEnding): PromptRecord {
    this.progress.flush();
    const executed = this.executed;
    if (ending.kind === 'succeeded') this.sendStatus('execution_success', {});
    else if (ending.kind === 'interrupted') {
      const nodeId = ending.nodeId ?? this.current;
      const node = { node_id: nodeId, node_type: this.classOf(nodeId), executed };
      this.sendStatus('execution_interrupted', node, true);
    } else {
      const { nodeId, exceptionType, message, traceback } = ending;
      this.sendStatus('execution_error', {
        node_id: nodeId,
        node_type: this.classOf(nodeId),
        executed,
        exception_message: message,
        exception_type: exceptionType,
        traceback,
        current_inputs: ending.currentInputs ?? {},
        current_outputs: Object.keys(this.prompt.graph),
      });
    }
    const completed = ending.kind === 'succeeded';
    const { messages, outputs } = this;
    return { statusStr: completed ? 'success' : 'error', completed, messages, outputs };
  }

  /** Sends the final message, after the prompt is in the history. */
  sendEnd(): void {
    this.current = null;
    this.sendToClient('executing', { node: null, prompt_id: this.prompt.id });
  }

  private classOf(nodeId: string | null): string | null {
    return nodeId === null ? null : (this.prompt.graph[nodeId]?.class_type ?? null);
  }

  private sendStatus(type: string, more: Readonly<Record<string, unknown>>, toAll = false): void {
    const data = { ...more, prompt_id: this.prompt.id, timestamp: Date.now() };
    this.messages.push([type, data]);
    if (toAll) this.send(type, data);
    else this.sendToClient(type, data);
  }

  private sendToClient(type: string, data: Readonly<Record<string, unknown>>): void {
    if (this.prompt.clientId !== null) this.send(type, data);
  }
}
