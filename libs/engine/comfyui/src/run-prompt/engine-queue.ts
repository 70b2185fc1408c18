import { EngineCallError } from '../calls/call-error.js';
import type { EngineCalls } from '../calls/engine-calls.js';
import { at, isRecord, listAt } from '../calls/json-shape.js';

/** Which prompts an engine has, of all its clients. */
export interface EngineQueue {
  readonly running: ReadonlySet<string>;
  readonly pending: ReadonlySet<string>;
}

/**
 * What the engine's queue holds now. A prompt goes from the queue to the history in one step, so whoever asks for both asks for
 * the queue first.
 * @throws EngineCallError
 */
export async function readQueue(calls: EngineCalls): Promise<EngineQueue> {
  const { status, json } = await calls.get('/queue');
  if (status !== 200 || !Array.isArray(at(json, 'queue_running')) || !isRecord(json)) {
    throw new EngineCallError('unreadable', 'GET /queue', `status ${status}, no queue`);
  }
  return { running: idsOf(listAt(json, 'queue_running')), pending: idsOf(listAt(json, 'queue_pending')) };
}

function idsOf(items: readonly unknown[]): Set<string> {
  return new Set(
    items.flatMap((item) => {
      const id: unknown = Array.isArray(item) ? item[1] : undefined;
      return typeof id === 'string' ? [id] : [];
    }),
  );
}
