import type { JobMessage, JobStatus } from '@heddle/contracts-messages';
import type { BusMessage } from '@heddle/platform-message-bus';
import { UnplacedMessageError } from '@heddle/platform-message-bus/follow-log';
import type { LoggedEvent } from '@heddle/platform-message-bus/follow-log';

/** A message with its number in the log. */
export interface PlacedMessage extends LoggedEvent {
  readonly message: Omit<JobMessage, 'status'>;
  /** Null if it must be derived from the job's earlier messages. */
  readonly status: JobStatus | null;
}

export function placedMessage({ id, headers, payload }: BusMessage): PlacedMessage {
  const seq = Number(headers['seq'] ?? NaN);
  if (!Number.isSafeInteger(seq) || seq < 1) throw new UnplacedMessageError(id);
  const { status, ...message } = payload as JobMessage;
  return { id, seq, message, status };
}
