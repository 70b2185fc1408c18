/** Vendors of the proxy: their tasks differ in their answers, not in their lives. */
export type VendorName = 'video' | 'image';

/** States in the order in which a task passes through them; the last two are ends. */
export const TASK_STATES = ['created', 'queueing', 'processing', 'success', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/**
 * What has been done for a task. `reserving`: its row is written. `calling`: the price is reserved. `under_way`: the vendor's id
 * is noted. `settling`: its end is decided. `over`: the end is settled.
 */
export type TaskStep = 'reserving' | 'calling' | 'under_way' | 'settling' | 'over';

export function isEnd(state: TaskState): boolean {
  return state === 'success' || state === 'failed';
}

/** Whether a report moves a task on. Late and repeated reports do not: no task goes back, and an end is final. */
export function movesOn(from: TaskState, reported: TaskState): boolean {
  return !isEnd(from) && TASK_STATES.indexOf(reported) > TASK_STATES.indexOf(from);
}

/** What an end costs: a success in full, every other end nothing. */
export function chargedFor(end: TaskState, price: number): number {
  return end === 'success' ? price : 0;
}
