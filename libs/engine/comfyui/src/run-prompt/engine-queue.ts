import { EngineCallError } from '../calls/call-error.js';
import type { EngineCalls } from '../calls/engine-calls.js';
import { at, isRecord, listAt } from '../calls/json-shape.js';

/** The prompts of all clients of an engine. */
export interface EngineQueue {
  readonly running: ReadonlySet<string>;
  readonly pending: ReadonlySet<string>;
}

/**
 * The engine's current queue. A prompt moves from queue to history in one step, so a caller that needs both reads the
 * queue first.
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
