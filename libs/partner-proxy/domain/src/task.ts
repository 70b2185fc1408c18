// A task is one call of a vendor for a client. These rules protect its life: its price is reserved before the vendor is
// called and settled once after its end, each event counts at one step alone, and no state goes back.
// Page: docs/architecture/18-partner-proxy.md.

/** Vendors of the proxy: their tasks differ in their answers, not in their lives. */
export type VendorName = 'video' | 'image';

/** States in the order in which a task passes through them; the last two are ends. */
export const TASK_STATES = ['created', 'queueing', 'processing', 'success', 'failed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/**
 * What has been done for a task. `reserving`: its row is written. `calling`: the price is reserved. `under_way`: the
 * vendor's id is noted. `settling`: its end is decided. `over`: the end is settled.
 */
export type TaskStep = 'reserving' | 'calling' | 'under_way' | 'settling' | 'over';

/** What happens to a task, and the one step at which it counts: at every other step it changes nothing. */
export const TASK_EVENTS = {
  /** The ledger has reserved the price. */
  reserved: { from: 'reserving', to: 'calling' },
  /** The balance does not cover the price: the ledger knows nothing of the task. */
  uncovered: { from: 'reserving', to: 'over' },
  /** The process ended before it called the vendor. */
  interrupted: { from: 'reserving', to: 'settling' },
  /** The vendor's id is noted. */
  taken: { from: 'calling', to: 'under_way' },
  /** The vendor refused, or its answer is lost. */
  call_failed: { from: 'calling', to: 'settling' },
  /** The vendor reports another state, which is not an end. */
  moved: { from: 'under_way', to: 'under_way' },
  /** The vendor reports an end or has forgotten the task, or its time is over. */
  ended: { from: 'under_way', to: 'settling' },
  /** The ledger has settled the price. */
  settled: { from: 'settling', to: 'over' },
} as const satisfies Readonly<Record<string, { readonly from: TaskStep; readonly to: TaskStep }>>;
export type TaskEvent = keyof typeof TASK_EVENTS;

/** The step that an event leads to; null: it changes nothing. */
export function nextStep(step: TaskStep, event: TaskEvent): TaskStep | null {
  const { from, to } = TASK_EVENTS[event];
  return step === from ? to : null;
}

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
