import { MOST_HINTS } from '@heddle/contracts-messages';
import type { HeldCredentials, JobId, PartnerCredentials, PeerHints, PeersPort } from '@heddle/contracts-messages';
import type { ReceivedMessage, ServiceClient } from '@heddle/platform-service-calls';
import { ServiceAwayError } from '@heddle/platform-service-calls';
import { revealCredentials, wrapCredentials } from '../encode-values/credentials.js';
import type { WireCredentials } from '../encode-values/credentials.js';
import { CALLS } from '../internal-calls.js';

const HINT_MS = 1_000;
const CREDENTIALS_MS = 2_000;

/** The other replicas of the jobs service. */
export class RemotePeers implements PeersPort {
  /** `instanceId`: the name of this replica, so that it passes over itself where the addresses of all lead to it too. */
  constructor(
    private readonly client: ServiceClient,
    private readonly instanceId: string,
  ) {}

  /** Tells all; a replica that cannot be reached finds out by itself. */
  async hint(hints: PeerHints): Promise<void> {
    await Promise.all(await this.#tellEach(CALLS.peers.hints, { hints }, HINT_MS));
  }

  /** Asks all at once; the first that has them answers. */
  async takeCredentials(jobId: JobId): Promise<PartnerCredentials | null> {
    const asked = await this.#tellEach(CALLS.peers.takeCredentials, { jobId }, CREDENTIALS_MS);
    const found = asked.map(async (answer) => {
      const credentials = wrapCredentials((await answer)?.head as WireCredentials | null | undefined);
      if (credentials === null) throw new Error('not here');
      return credentials;
    });
    return await Promise.any(found).catch(() => null);
  }

  /** Given to one replica, which all others can ask. Throws where nobody takes them. */
  async keepCredentials(held: readonly HeldCredentials[]): Promise<void> {
    for (let at = 0; at < held.length; at += MOST_HINTS) {
      const some = held.slice(at, at + MOST_HINTS);
      const wire = some.map(({ jobId, credentials }) => ({ jobId, credentials: revealCredentials(credentials) }));
      await this.#leave(wire);
    }
  }

  async #leave(held: readonly object[]): Promise<void> {
    const head = { from: this.instanceId, held };
    const call = { path: CALLS.peers.keepCredentials, head, repeatable: true, deadlineMs: CREDENTIALS_MS };
    for (const target of await this.client.targets()) {
      const answer = await this.client.call({ ...call, at: target }).catch(() => null);
      if ((answer?.head as { kept?: boolean } | null | undefined)?.kept === true) return;
    }
    throw new ServiceAwayError(this.client.service, 'no other replica took the credentials that this one holds', false);
  }

  #tellEach(path: string, about: object, deadlineMs: number): Promise<readonly Promise<ReceivedMessage | null>[]> {
    return this.client.callEach({ path, head: { from: this.instanceId, ...about }, repeatable: true, deadlineMs });
  }
}
