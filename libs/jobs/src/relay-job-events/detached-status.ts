import { JOB_EVENT_TYPES, statusAfter } from '@heddle/jobs-domain';
import type { JobStatus } from '@heddle/contracts-messages';

/**
 * The status after an event whose envelope comes from its link, which has none: its partition has left the log. Between a cancel
 * request and its end, reports are counted as of a running job. Null: this build does not know the event.
 */
export function detachedStatus(type: string): JobStatus | null {
  // How the job ended is no longer known; followers only need that it did.
  if (type === 'JobPurged') return 'expired';
  return (JOB_EVENT_TYPES as readonly string[]).includes(type) ? statusAfter(type, 'running') : null;
}
