import type { JobLease } from '@heddle/contracts-messages';
import { cutBytes } from '@heddle/platform-service-calls';
import type { Parcel, ReceivedParcel } from '@heddle/platform-service-calls';
import { argumentsOf } from '../encode-values/call-arguments.js';
import { revealCredentials, wrapCredentials } from '../encode-values/credentials.js';
import type { WireCredentials } from '../encode-values/credentials.js';

type WireLease = Omit<JobLease, 'workflow' | 'credentials'> & {
  readonly credentials: WireCredentials | null;
  readonly workflowBytes: number;
};

/** The workflows go behind the JSON, one after the other. */
export function encodeLeases(leases: readonly JobLease[]): Parcel {
  const wire = leases.map(({ workflow, credentials, ...rest }): WireLease => {
    return { ...rest, credentials: revealCredentials(credentials), workflowBytes: workflow.length };
  });
  return { head: { leases: wire }, bytes: leases.map(({ workflow }) => workflow) };
}

export function decodeLeases({ head, bytes }: ReceivedParcel): readonly JobLease[] {
  const { leases } = argumentsOf<{ leases: readonly WireLease[] }>(head, 'leases');
  const workflows = cutBytes(
    bytes,
    leases.map(({ workflowBytes }) => workflowBytes),
  );
  return leases.map(({ workflowBytes: _, credentials, ...rest }, at) => {
    return { ...rest, credentials: wrapCredentials(credentials), workflow: workflows[at]! };
  });
}
