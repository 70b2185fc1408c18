import type { HeldCredentials, JobId, PartnerCredentials, PeerHints, PeersPort } from '@heddle/contracts-messages';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { ServiceAwayError } from '@heddle/platform-service-calls';
import { revealCredentials, wrapCredentials } from '../encode-values/credentials.js';
import type { WireCredentials } from '../encode-values/credentials.js';
import { CALLS } from '../internal-calls.js';

const HINT_MS = 1_000;
/** What a replica that goes away is patient for. */
const CREDENTIALS_MS = 2_000;

/** Another replica of the jobs service: the one whose address the client has. Throws where it does not answer. */
export class RemotePeers implements PeersPort {
  /** `instanceId`: the name of this replica, so that it is noticed where the address leads back to it. */
  constructor(
    private readonly client: ServiceClient,
    private readonly instanceId: string,
  ) {}

  /** Not repeated where it may have arrived: the next hints tell more. */
  async hint(hints: PeerHints): Promise<void> {
    await this.#tell(CALLS.peers.hints, { hints }, HINT_MS, false);
  }

  async takeCredentials(jobId: JobId): Promise<PartnerCredentials | null> {
    const found = await this.#tell(CALLS.peers.takeCredentials, { jobId }, CREDENTIALS_MS);
    return wrapCredentials(found as WireCredentials | null);
  }

  async keepCredentials(held: readonly HeldCredentials[]): Promise<void> {
    const wire = held.map(({ jobId, credentials }) => ({ jobId, credentials: revealCredentials(credentials) }));
    const answer = await this.#tell(CALLS.peers.keepCredentials, { held: wire }, CREDENTIALS_MS);
    if ((answer as { readonly kept: boolean }).kept) return;
    throw new ServiceAwayError(this.client.service, 'the address of another replica leads back to this one', false);
  }

  async #tell(path: string, about: object, deadlineMs: number, repeatable = true): Promise<unknown> {
    const head = { from: this.instanceId, ...about };
    return (await this.client.call({ path, head, repeatable, deadlineMs })).head;
  }
}
