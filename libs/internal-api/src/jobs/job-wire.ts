import type { JobSubmission } from '@heddle/contracts-messages';
import type { Parcel, ReceivedParcel } from '@heddle/platform-service-calls';
import type { Principal } from '@heddle/contracts-messages';
import { argumentsOf } from '../encode-values/call-arguments.js';
import { revealCredentials, wrapCredentials } from '../encode-values/credentials.js';
import type { WireCredentials } from '../encode-values/credentials.js';

type WireSubmission = Omit<JobSubmission, 'workflow' | 'credentials'> & {
  readonly credentials: WireCredentials | null;
};

/** The workflow's bytes go behind the JSON, as they are. */
export function encodeSubmission(principal: Principal, submission: JobSubmission): Parcel {
  const { workflow, credentials, ...rest } = submission;
  const wire: WireSubmission = { ...rest, credentials: revealCredentials(credentials) };
  return { head: { principal, submission: wire }, bytes: [workflow] };
}

export function decodeSubmission({ head, bytes }: ReceivedParcel): JobSubmission {
  const { submission } = argumentsOf<{ submission: WireSubmission }>(head, 'submission');
  return { ...submission, credentials: wrapCredentials(submission.credentials), workflow: bytes };
}
