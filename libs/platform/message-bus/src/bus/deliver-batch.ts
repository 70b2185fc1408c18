import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';
import type { BatchHandler, BusMessage, DeliveryOptions } from './message-bus.js';

interface DeliveryLimits extends Pick<DeliveryOptions, 'isOutage' | 'onOutage'> {
  readonly attempts: number;
  readonly backoffMs: number;
}

/** The topic and group of the messages, and how failures are handled. */
interface Delivery {
  readonly topic: string;
  readonly group: string;
  /** Called after a message's last attempt. */
  readonly onGivenUp: (message: BusMessage, reason: string) => Promise<void> | void;
  /** Called before each retry; true ends the delivery early. */
  readonly isStopped: () => boolean;
}

const MAX_BACKOFF_MS = 2_000;
/** Upper bound of the pause between retries during an outage. */
const MAX_OUTAGE_PAUSE_MS = 1_000;

/**
 * Delivers a batch. If that fails, delivers each message alone and in order, so that one bad message costs its
 * neighbours only a retry. Failures during an outage do not count as attempts, however long it lasts: only a message
 * that can never be handled is given up. Returns whether all messages were handled or given up.
 */
export async function deliverBatch(
  batch: readonly BusMessage[],
  handle: BatchHandler,
  limits: DeliveryLimits,
  delivery: Delivery,
): Promise<boolean> {
  const whole = await outageWaitedOut(batch, handle, limits, delivery);
  if (whole.kind !== 'failed') return whole.kind === 'handled';
  for (const message of batch) {
    // A single message has used its first attempt; in a batch the failure may be another message's.
    let attempts = batch.length === 1 ? 1 : 0;
    let { failure } = whole;
    while (attempts < limits.attempts) {
      if (delivery.isStopped()) return false;
      if (attempts > 0) await delay(backoffMs(attempts - 1, limits.backoffMs, MAX_BACKOFF_MS));
      const one = await outageWaitedOut([message], handle, limits, delivery);
      if (one.kind === 'stopped') return false;
      if (one.kind === 'handled') break;
      failure = one.failure;
      attempts++;
    }
    if (attempts >= limits.attempts) await delivery.onGivenUp(message, reasonOf(failure));
  }
  return true;
}

type Handled =
  { readonly kind: 'handled' } | { readonly kind: 'stopped' } | { readonly kind: 'failed'; readonly failure: unknown };

/** One attempt, repeated while a dependency is unreachable. */
async function outageWaitedOut(
  batch: readonly BusMessage[],
  handle: BatchHandler,
  { backoffMs: firstMs, isOutage, onOutage }: DeliveryLimits,
  { topic, group, isStopped }: Delivery,
): Promise<Handled> {
  for (let waited = 0; ; waited++) {
    let result: Handled;
    try {
      await handle(batch);
      result = { kind: 'handled' };
    } catch (failure) {
      result = { kind: 'failed', failure };
    }
    if (result.kind === 'handled' || isOutage?.(result.failure) !== true) {
      if (waited > 0) onOutage?.({ topic, group, reason: null });
      return result;
    }
    onOutage?.({ topic, group, reason: reasonOf(result.failure) });
    if (isStopped()) return { kind: 'stopped' };
    await delay(backoffMs(waited, firstMs, MAX_OUTAGE_PAUSE_MS));
    if (isStopped()) return { kind: 'stopped' };
  }
}

function reasonOf(failure: unknown): string {
  if (failure instanceof Error) return failure.message;
  if (typeof failure === 'object' && failure !== null && 'message' in failure) return String(failure.message);
  return String(failure);
}
