import type { EngineCalls } from '../calls/engine-calls.js';
import { EngineCallError } from '../calls/call-error.js';
import { at, isRecord, listAt, textAt } from '../calls/json-shape.js';
import type { EngineRecord } from '../calls/json-shape.js';
import { outputsByNode } from '../outputs/list-outputs.js';
import { engineFailure, failureOfError } from './execution-failure.js';
import type { Failure } from './execution-failure.js';

/** An ended prompt in the engine's history. */
export interface PromptHistoryEntry {
  readonly ending: { readonly kind: 'succeeded' } | { readonly kind: 'interrupted' } | Failure;
  readonly outputs: readonly (readonly [string, EngineRecord])[];
  /** The graph node that each output node stands for, if they differ. */
  readonly displayNodes: ReadonlyMap<string, string>;
}

/**
 * The history of one prompt; null if there is none.
 * @throws EngineCallError
 */
export async function readHistory(calls: EngineCalls, promptId: string): Promise<PromptHistoryEntry | null> {
  const path = `/history/${encodeURIComponent(promptId)}`;
  const answer = await calls.get(path);
  if (answer.status !== 200 || !isRecord(answer.json)) {
    throw new EngineCallError('unreadable', 'GET /history', `status ${answer.status}, no history`);
  }
  const entry = at(answer.json, promptId);
  return isRecord(entry) ? readEntry(entry) : null;
}

function readEntry(entry: EngineRecord): PromptHistoryEntry {
  const meta = at(entry, 'meta');
  const displayNodes = new Map<string, string>();
  for (const nodeId of isRecord(meta) ? Object.keys(meta) : []) {
    const display = textAt(at(meta, nodeId), 'display_node');
    if (display !== null && display !== nodeId) displayNodes.set(nodeId, display);
  }
  return { ending: endingOf(at(entry, 'status')), outputs: outputsByNode(at(entry, 'outputs')), displayNodes };
}

/** An interrupted prompt has the status `error` too; its messages distinguish them (engine reference, section 1). */
function endingOf(status: unknown): PromptHistoryEntry['ending'] {
  const word = textAt(status, 'status_str');
  // The history of engines without a status contains only finished prompts.
  if (word === 'success' || status === undefined || status === null) return { kind: 'succeeded' };
  const messages = listAt(status, 'messages').filter((message): message is unknown[] => Array.isArray(message));
  const last = messages.findLast(
    ([name, data]) =>
      name === 'execution_interrupted' ||
      (name === 'execution_error' && textAt(data, 'exception_type') !== 'ExecutionBlocked'),
  );
  if (last === undefined) return engineFailure('the engine says that the graph failed and gives no reason');
  return last[0] === 'execution_interrupted' ? { kind: 'interrupted' } : failureOfError(last[1]);
}
