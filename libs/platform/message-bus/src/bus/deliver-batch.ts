import { setTimeout as delay } from 'node:timers/promises';
import type { BatchHandler, BusMessage } from './message-bus.js';

export interface DeliveryLimits {
  readonly attempts: number;
  readonly backoffMs: number;
}

const MOST_BACKOFF_MS = 2_000;

/**
 * Hands a batch over; where that fails, each message alone and in order, so that one bad message costs its neighbours a repetition
 * and nothing else. `onGivenUp` hears of a message after its last attempt. Answers whether all were handled or given up: `isStopped`,
 * asked before each repetition, ends it early.
 */
export async function deliverBatch(
  batch: readonly BusMessage[],
  handle: BatchHandler,
  limits: DeliveryLimits,
  onGivenUp: (message: BusMessage, reason: string) => Promise<void> | void,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  let failure: unknown;
  try {
    await handle(batch);
    return true;
  } catch (error) {
    failure = error;
  }
  for (const message of batch) {
    // A lone message has had its first attempt; one of several may have been innocent.
    let attempts = batch.length === 1 ? 1 : 0;
    while (attempts < limits.attempts) {
      if (isStopped()) return false;
      if (attempts > 0) await delay(Math.min(MOST_BACKOFF_MS, limits.backoffMs * 2 ** (attempts - 1)));
      try {
        await handle([message]);
        break;
      } catch (error) {
        failure = error;
        attempts++;
      }
    }
    if (attempts >= limits.attempts) await onGivenUp(message, reasonOf(failure));
  }
  return true;
}

function reasonOf(failure: unknown): string {
  if (failure instanceof Error) return failure.message;
  if (typeof failure === 'object' && failure !== null && 'message' in failure) return String(failure.message);
  return String(failure);
}
