import { describeAnswer, codeOf, send } from '@heddle/testing-api';
import type { Answer, Sent } from '@heddle/testing-api';
import type { Random } from '@heddle/testing-seed';
import type { Outcome } from '../history.ts';
import { authorized } from '../load.ts';
import type { Journal } from './journal.ts';

const ANSWER_WITHIN_MS = 12_000;

/** A service, and the credential that it asks for. */
export interface Site {
  readonly origin: string;
  readonly token?: string | undefined;
}

/** The loop of one client; `wait` ends early with the campaign. */
export interface CampaignClient extends Site {
  readonly journal: Journal;
  readonly random: Random;
  readonly isOver: () => boolean;
  wait(ms: number): Promise<void>;
}

export interface Asker extends Site {
  readonly journal: Journal;
  /** Time-out of an answer; default 12 s. */
  readonly patienceMs?: number;
}

/** Null if there was no answer in time. */
export async function ask({ origin, token, journal, patienceMs }: Asker, sent: Sent): Promise<Answer | null> {
  const begunAt = performance.now();
  const signal = AbortSignal.timeout(patienceMs ?? ANSWER_WITHIN_MS);
  const answer = await send(origin, { ...authorized(sent, token), signal }).catch(() => null);
  if (sent.method === 'GET')
    journal.note('reads', { begunAt, endedAt: performance.now(), target: sent.target, status: answer?.status ?? null });
  return answer;
}

/** A 4xx with an envelope is a definite refusal; a 500 with an envelope is unknown; anything else is an offence. */
export function outcomeOf(answer: Answer | null, journal: Journal, wanted: readonly number[]): Outcome {
  if (answer === null) return 'unknown';
  if (wanted.includes(answer.status)) return 'ok';
  if (answer.status === 500 && codeOf(answer) === 'upstream_error') return 'unknown';
  if (answer.status >= 400 && answer.status < 500 && codeOf(answer) !== null) return 'refused';
  journal.offences.push(`${describeAnswer(answer)} ${codeOf(answer) ?? 'without an envelope'}`);
  return 'unknown';
}
