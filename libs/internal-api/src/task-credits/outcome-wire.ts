// The answers have a field for credits that were reserved or settled. Any other outcome is sent as a rejection: a replica of an
// earlier build understands it, and no other file reads its code.

import { accepted, notFound, refuse } from '@heddle/contracts-messages';
import type { Answer, Rejection, ReserveOutcome, SettleOutcome } from '@heddle/contracts-messages';
import { answerOf } from '../encode-values/call-answers.js';
import { rejectionMessage } from '../encode-values/rejections.js';
import type { ReserveResponse, SettleResponse } from '../generated/heddle/jobs/v1/task_credits.js';

const { rejection: NOTHING_RESERVED } = notFound();

export function reserveResponse(answer: Answer<ReserveOutcome>): ReserveResponse {
  if (!answer.ok) return rejection(answer.rejection);
  if (answer.value.kind === 'reserved') return { result: { $case: 'credits', value: answer.value } };
  const { required, balance } = answer.value;
  const details = { required, balance };
  return rejection(refuse('insufficient_credits', { case: 'task', ...details }, { details }));
}

export function reserveOutcome(response: ReserveResponse): Answer<ReserveOutcome> {
  const answer = answerOf(response, ({ reserved }): ReserveOutcome => ({ kind: 'reserved', reserved }));
  if (answer.ok || answer.rejection.code !== 'insufficient_credits') return answer;
  const { required, balance } = answer.rejection.details as { readonly required: number; readonly balance: number };
  return accepted({ kind: 'uncovered', required, balance });
}

export function settleResponse(answer: Answer<SettleOutcome>): SettleResponse {
  if (!answer.ok) return rejection(answer.rejection);
  if (answer.value.kind === 'nothing_reserved') return rejection(NOTHING_RESERVED);
  return { result: { $case: 'credits', value: answer.value } };
}

export function settleOutcome(response: SettleResponse): Answer<SettleOutcome> {
  const answer = answerOf(response, (credits): SettleOutcome => ({ kind: 'settled', ...credits }));
  const isKnown = answer.ok || answer.rejection.code !== NOTHING_RESERVED.code;
  return isKnown ? answer : accepted({ kind: 'nothing_reserved' });
}

function rejection(value: Rejection) {
  return { result: { $case: 'rejection', value: rejectionMessage(value) } } as const;
}
