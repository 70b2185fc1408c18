import { MAX_HINTS } from '@heddle/contracts-messages';
import type { DeploymentId, HeldCredentials, JobId, LeaseState, PeerHints } from '@heddle/contracts-messages';
import { credentialsMessage, credentialsOf } from '../encode-values/credentials.js';
import { LeaseStanding } from '../generated/heddle/peers/v1/peers.js';
import type { HeldCredentials as HeldMessage, HintRequest } from '../generated/heddle/peers/v1/peers.js';

const STANDINGS: Readonly<Record<LeaseState['state'], LeaseStanding>> = {
  held: LeaseStanding.LEASE_STANDING_HELD,
  cancel_requested: LeaseStanding.LEASE_STANDING_CANCEL_REQUESTED,
  lost: LeaseStanding.LEASE_STANDING_LOST,
};

export function hintsMessage({ work, states, ended, commits, sequenced }: PeerHints): Omit<HintRequest, 'from'> {
  return {
    work: work.map(({ jobId, ...pool }) => ({ ...pool, jobId: jobId ?? undefined })),
    states: states.map(({ workerId, state: { state, ...lease } }) => ({
      ...lease,
      workerId,
      standing: STANDINGS[state],
    })),
    ended: [...ended],
    commits,
    sequenced,
  };
}

/** Cuts long lists and skips unknown states: a lost hint is harmless. */
export function hintsOf({ work, states, ended, commits, sequenced }: HintRequest): PeerHints {
  return {
    work: work.slice(0, MAX_HINTS).map(({ deploymentId, revision, jobId }) => ({
      deploymentId: deploymentId as DeploymentId,
      revision,
      jobId: (jobId as JobId | undefined) ?? null,
    })),
    states: states.slice(0, MAX_HINTS).flatMap(({ workerId, jobId, fence, standing }) => {
      const state = (Object.keys(STANDINGS) as LeaseState['state'][]).find((one) => STANDINGS[one] === standing);
      return state === undefined ? [] : [{ workerId, state: { jobId: jobId as JobId, fence, state } }];
    }),
    ended: ended.slice(0, MAX_HINTS) as JobId[],
    commits,
    sequenced,
  };
}

export function heldMessages(held: readonly HeldCredentials[]): HeldMessage[] {
  return held.map(({ jobId, credentials }) => ({ jobId, credentials: credentialsMessage(credentials) }));
}

export function heldOf(messages: readonly HeldMessage[]): readonly HeldCredentials[] {
  return messages.slice(0, MAX_HINTS).flatMap(({ jobId, credentials: sent }) => {
    const credentials = credentialsOf(sent);
    return credentials === null ? [] : [{ jobId: jobId as JobId, credentials }];
  });
}
