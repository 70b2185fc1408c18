import type {
  AccountId,
  AssetId,
  DeploymentId,
  JobId,
  JobLease,
  LeaseKey,
  LeaseState,
} from '@heddle/contracts-messages';
import { credentialsMessage, credentialsOf } from '../encode-values/credentials.js';
import { LeaseState_State } from '../generated/heddle/worker/v1/worker.js';
import type {
  Lease,
  LeaseKey as LeaseKeyMessage,
  LeaseState as LeaseStateMessage,
} from '../generated/heddle/worker/v1/worker.js';

export function keyMessage({ jobId, fence }: LeaseKey): LeaseKeyMessage {
  return { jobId, fence };
}

/** A message without a key names no lease: job `''`, fence 0. */
export function keyOfMessage(message: LeaseKeyMessage | undefined): LeaseKey {
  return { jobId: (message?.jobId ?? '') as JobId, fence: message?.fence ?? 0 };
}

export function stateMessage(state: LeaseState): LeaseStateMessage {
  return { lease: keyMessage(state), state: STATES[state.state] };
}

/** Null for a state of a newer protocol version. */
export function stateOfMessage({ lease, state }: LeaseStateMessage): LeaseState | null {
  const [known] = Object.entries(STATES).find(([, value]) => value === state) ?? [];
  return known === undefined ? null : { ...keyOfMessage(lease), state: known as LeaseState['state'] };
}

const STATES: Readonly<Record<LeaseState['state'], LeaseState_State>> = {
  held: LeaseState_State.STATE_HELD,
  cancel_requested: LeaseState_State.STATE_CANCEL_REQUESTED,
  lost: LeaseState_State.STATE_LOST,
};

export function leaseMessage(lease: JobLease): Lease {
  const { workflow, credentials, inputs, traceparent, workerId: _, boundTo: __, ...plain } = lease;
  return {
    ...plain,
    key: keyMessage(lease),
    workflow: Buffer.from(workflow.buffer, workflow.byteOffset, workflow.byteLength),
    inputs: inputs.map(({ name, ...input }) => ({ ...input, name: name ?? undefined })),
    credentials: credentialsMessage(credentials),
    traceparent: traceparent ?? undefined,
  };
}

/** `workerId` is the worker's own name. The service adds the deployment of the token to it in every call. */
export function leaseOfMessage(message: Lease, workerId: string): JobLease {
  const { key, workflow, credentials, inputs, traceparent, ...plain } = message;
  return {
    ...plain,
    ...keyOfMessage(key),
    workerId,
    accountId: plain.accountId as AccountId,
    deploymentId: plain.deploymentId as DeploymentId,
    // Copied, because the bytes of the message are a view of the receive buffer.
    workflow: Uint8Array.from(workflow),
    inputs: inputs.map(({ name, ...input }) => ({ ...input, assetId: input.assetId as AssetId, name: name ?? null })),
    credentials: credentialsOf(credentials),
    traceparent: traceparent ?? null,
  };
}
