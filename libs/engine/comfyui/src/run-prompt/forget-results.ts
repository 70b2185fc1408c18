import { setTimeout as pause } from 'node:timers/promises';
import type { EngineCalls } from '../calls/engine-calls.js';
import { EngineCallError } from '../calls/call-error.js';
import { readQueue } from './engine-queue.js';

/**
 * Has the engine drop its cached results, once it runs nothing: a prompt that an earlier run left behind would fill the
 * cache again. An idle engine acts on the request when its own thread wakes up; the last call gives it the time, before a
 * prompt can overtake the request.
 *
 * @throws EngineCallError if the engine may still know the results.
 */
export async function forgetResults(calls: EngineCalls, pollMs: number, signal: AbortSignal): Promise<void> {
  for (
    let queue = await readQueue(calls);
    queue.running.size + queue.pending.size > 0;
    queue = await readQueue(calls)
  ) {
    await pause(pollMs, undefined, { signal });
  }
  const { status } = await calls.post('/free', { unload_models: false, free_memory: true });
  if (status !== 200) throw new EngineCallError('unreadable', 'POST /free', `status ${status}, nothing was forgotten`);
  await readQueue(calls);
}
