/** How an attempt ended: the status of the answer, no answer, or a URL that must not be called, with the reason. */
export type AttemptEnd =
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'refused'; readonly reason: string };

/** What follows from an attempt. `problem`: for the operator, in Heddle's words. */
export type DeliveryVerdict =
  | { readonly next: 'delivered' }
  | { readonly next: 'retry'; readonly afterMs: number; readonly problem: string }
  | { readonly next: 'dead'; readonly problem: string };

/** Statuses that may change by themselves, besides those from 500. */
const PASSING = [408, 429];

/** `attempt`: from 1. Each attempt after the first has a wait of its own; when they are used up, the delivery is dead. */
export function verdictOn(end: AttemptEnd, attempt: number, waitsMs: readonly number[]): DeliveryVerdict {
  if (end.kind === 'refused') return { next: 'dead', problem: `not sent: the URL ${end.reason}` };
  if (end.kind === 'answer' && end.status >= 200 && end.status < 300) return { next: 'delivered' };
  const problem = end.kind === 'answer' ? `the receiver answered ${end.status}` : 'the receiver did not answer';
  const isPassing = end.kind === 'no_answer' || end.status >= 500 || PASSING.includes(end.status);
  const afterMs = waitsMs[attempt - 1];
  return isPassing && afterMs !== undefined ? { next: 'retry', afterMs, problem } : { next: 'dead', problem };
}
