import { at, isRecord, parseJson, textAt, textsAt } from '../calls/json-shape.js';
import type { EngineRecord } from '../calls/json-shape.js';

/** One node of a `progress_state` message. */
export interface NodeState {
  readonly nodeId: string;
  readonly displayNodeId: string;
  readonly state: 'running' | 'finished' | 'error';
  readonly value: number;
  readonly max: number;
}

/** A prompt event from the engine's socket. */
export type PromptEvent =
  | { readonly kind: 'began' }
  | { readonly kind: 'cached'; readonly nodes: readonly string[] }
  | { readonly kind: 'executing'; readonly nodeId: string; readonly displayNodeId: string }
  | { readonly kind: 'progress'; readonly nodeId: string; readonly value: number; readonly max: number }
  /** `nodes` is null if the snapshot was too large to parse. */
  | { readonly kind: 'states'; readonly nodes: readonly NodeState[] | null }
  | {
      readonly kind: 'executed';
      readonly nodeId: string;
      readonly displayNodeId: string;
      readonly output: EngineRecord;
    }
  /** The engine has decided how the prompt ended; its history may lag. */
  | { readonly kind: 'ending'; readonly how: 'success' | 'error' | 'interrupted' }
  /** The prompt has ended and is in the history. */
  | { readonly kind: 'over' }
  /** What the engine wrote to its log while it ran the prompt. */
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'preview'; readonly nodeId: string; readonly contentType: string; readonly bytes: Uint8Array };

interface RoutedEvent {
  readonly promptId: string;
  readonly event: PromptEvent;
}

/** Larger snapshots cost more than they are worth; `executing` messages then carry the progress. */
const LARGEST_SNAPSHOT = 64 * 1024;
const SNAPSHOT = /^\s*\{\s*"type"\s*:\s*"progress_state"\s*,\s*"data"\s*:\s*\{\s*"prompt_id"\s*:\s*"([^"\\]{1,100})"/;

/** Parses a text message; null if it concerns no prompt, has an unknown type, or is garbage. */
export function readTextMessage(text: string): RoutedEvent | null {
  const unread = text.length > LARGEST_SNAPSHOT ? SNAPSHOT.exec(text)?.[1] : undefined;
  if (unread !== undefined) return { promptId: unread, event: { kind: 'states', nodes: null } };
  const message = parseJson(text);
  const data = at(message, 'data');
  const promptId = textAt(data, 'prompt_id');
  const event = isRecord(data) ? readEvent(textAt(message, 'type'), data) : null;
  return promptId === null || event === null ? null : { promptId, event };
}

function readEvent(type: string | null, data: EngineRecord): PromptEvent | null {
  switch (type) {
    case 'execution_start':
      return { kind: 'began' };
    case 'execution_cached':
      return { kind: 'cached', nodes: textsAt(data, 'nodes') };
    case 'executing':
      return readExecuting(data);
    case 'progress':
      return readProgress(data);
    case 'progress_state':
      return { kind: 'states', nodes: Object.values(recordAt(data, 'nodes')).flatMap(readState) };
    case 'executed':
      return readExecuted(data);
    case 'execution_success':
      return { kind: 'ending', how: 'success' };
    case 'execution_error':
      // One branch was blocked and the others continue: not an end (engine reference, section 2).
      return textAt(data, 'exception_type') === 'ExecutionBlocked' ? null : { kind: 'ending', how: 'error' };
    case 'execution_interrupted':
      return { kind: 'ending', how: 'interrupted' };
    default:
      return null;
  }
}

function readExecuting(data: EngineRecord): PromptEvent | null {
  if (at(data, 'node') === null) return { kind: 'over' };
  const nodeId = textAt(data, 'node');
  return nodeId === null ? null : { kind: 'executing', nodeId, displayNodeId: textAt(data, 'display_node') ?? nodeId };
}

function readProgress(data: EngineRecord): PromptEvent | null {
  const nodeId = textAt(data, 'node');
  const [value, max] = [numberAt(data, 'value'), numberAt(data, 'max')];
  return nodeId === null || value === null || max === null ? null : { kind: 'progress', nodeId, value, max };
}

function readExecuted(data: EngineRecord): PromptEvent | null {
  const nodeId = textAt(data, 'node');
  const output = at(data, 'output');
  if (nodeId === null || !isRecord(output)) return null;
  return { kind: 'executed', nodeId, displayNodeId: textAt(data, 'display_node') ?? nodeId, output };
}

function readState(entry: unknown): NodeState[] {
  const nodeId = textAt(entry, 'node_id');
  const state = textAt(entry, 'state');
  if (nodeId === null || (state !== 'running' && state !== 'finished' && state !== 'error')) return [];
  const displayNodeId = textAt(entry, 'display_node_id') ?? nodeId;
  return [{ nodeId, displayNodeId, state, value: numberAt(entry, 'value') ?? 0, max: numberAt(entry, 'max') ?? 1 }];
}

function recordAt(value: unknown, key: string): EngineRecord {
  const found = at(value, key);
  return isRecord(found) ? found : {};
}

function numberAt(value: unknown, key: string): number | null {
  const found = at(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}
