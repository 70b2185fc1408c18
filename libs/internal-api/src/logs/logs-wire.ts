import { accepted } from '@heddle/contracts-messages';
import type { Answer, CaptureVerdict, JobLog } from '@heddle/contracts-messages';
import { rejectionMessage, rejectionOf } from '../encode-values/rejections.js';
import { CaptureVerdict as VerdictMessage } from '../generated/heddle/logs/v1/logs.js';
import type { ReadResponse } from '../generated/heddle/logs/v1/logs.js';

const VERDICTS = {
  kept: VerdictMessage.CAPTURE_VERDICT_KEPT,
  known: VerdictMessage.CAPTURE_VERDICT_KNOWN,
  late: VerdictMessage.CAPTURE_VERDICT_LATE,
} as const;

export function verdictMessage(verdict: CaptureVerdict): VerdictMessage {
  return VERDICTS[verdict];
}

export function verdictOf(message: VerdictMessage): CaptureVerdict {
  const found = (Object.keys(VERDICTS) as CaptureVerdict[]).find((verdict) => VERDICTS[verdict] === message);
  if (found === undefined) throw new Error(`the logs service answered with an unknown verdict: ${message}`);
  return found;
}

export function logAnswerMessage(answer: Answer<JobLog>): ReadResponse {
  if (!answer.ok) return { result: { $case: 'rejection', value: rejectionMessage(answer.rejection) } };
  return { result: { $case: 'log', value: { ...answer.value, text: Buffer.from(answer.value.text) } } };
}

export function logAnswerOf({ result }: ReadResponse): Answer<JobLog> {
  if (result === undefined) throw new Error('the logs service answered with neither a log nor a rejection');
  if (result.$case === 'rejection') return { ok: false, rejection: rejectionOf(result.value) };
  return accepted({ ...result.value, text: result.value.text.toString('utf8') });
}
