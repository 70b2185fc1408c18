import type { CaptureVerdict, JobLog } from '@heddle/contracts-messages';
import { CaptureVerdict as VerdictMessage } from '../generated/heddle/logs/v1/logs.js';
import type { JobLog as LogMessage } from '../generated/heddle/logs/v1/logs.js';

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

export function logMessage(log: JobLog): LogMessage {
  return { ...log, text: Buffer.from(log.text) };
}

export function logOf(log: LogMessage): JobLog {
  return { ...log, text: log.text.toString('utf8') };
}
