import { MAX_HINTS } from '@heddle/contracts-messages';
import type { JobId, PeerHints, PeersPort } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';
import type { Parcel, CallRoutes, IncomingCall } from '@heddle/platform-service-calls';
import { argumentsOf } from '../encode-values/call-arguments.js';
import { revealCredentials, wrapCredentials } from '../encode-values/credentials.js';
import type { WireCredentials } from '../encode-values/credentials.js';
import { CALLS, JOBS } from '../internal-calls.js';

interface FromPeer {
  /** Which replica sends it: a name that all share may lead back to the sender. */
  readonly from: string;
}

/** The serving half of PeersPort in the replica `instanceId`. */
export function servePeersPort(routes: CallRoutes, peers: PeersPort, instanceId: string): void {
  const call = (path: string, own: unknown, handle: (incoming: IncomingCall) => Promise<unknown>): void => {
    const answer = async (incoming: IncomingCall): Promise<Parcel> => {
      const { from } = argumentsOf<FromPeer>(incoming.head, 'from');
      return { head: from === instanceId ? own : await handle(incoming) };
    };
    routes.route({ kind: 'plain', path, openTo: JOBS, handle: answer });
  };
  call(CALLS.peers.hints, null, async ({ head }) => {
    await peers.hint(readHints(argumentsOf<{ hints: Partial<PeerHints> }>(head, 'hints').hints));
    return null;
  });
  call(CALLS.peers.takeCredentials, null, async ({ head }) => {
    const { jobId } = argumentsOf<{ jobId: JobId }>(head, 'jobId');
    return revealCredentials(await peers.takeCredentials(jobId));
  });
  call(CALLS.peers.keepCredentials, { kept: false }, async ({ head }) => {
    const { held } = argumentsOf<{ held: readonly { jobId: JobId; credentials: WireCredentials }[] }>(head, 'held');
    await peers.keepCredentials(
      held.slice(0, MAX_HINTS).map(({ jobId, credentials }) => ({ jobId, credentials: wrapCredentials(credentials)! })),
    );
    return { kept: true };
  });
}

/** What an older or newer replica does not tell is not there; lists are cut at their limit. */
function readHints({
  work = [],
  states = [],
  ended = [],
  commits = false,
  sequenced = false,
}: Partial<PeerHints>): PeerHints {
  if (![work, states, ended].every(Array.isArray)) throw new MalformedParcelError('hints are lists');
  return {
    work: work.slice(0, MAX_HINTS),
    states: states.slice(0, MAX_HINTS),
    ended: ended.slice(0, MAX_HINTS),
    commits,
    sequenced,
  };
}
