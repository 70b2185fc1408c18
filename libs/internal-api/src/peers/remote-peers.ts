import type { HeldCredentials, JobId, PartnerCredentials, PeerHints, PeersPort } from '@heddle/contracts-messages';
import { ServiceAwayError } from '@heddle/platform-service-calls';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { credentialsOf } from '../encode-values/credentials.js';
import { PeersServiceService } from '../generated/heddle/peers/v1/peers.js';
import { heldMessages, hintsMessage } from './peers-wire.js';

const HINT_MS = 1_000;
/** A stopping replica waits this long for its credentials to be taken. */
const CREDENTIALS_MS = 2_000;

/** Calls another replica of the jobs service at the channel's address. Throws if it does not answer. */
export class RemotePeers implements PeersPort {
  /** `from`: the name of this replica, so that it recognizes its own calls if the address leads back to it. */
  constructor(
    private readonly channel: ServiceChannel,
    private readonly from: string,
  ) {}

  /** Not repeated if it may have arrived: the next hints say more. */
  async hint(hints: PeerHints): Promise<void> {
    await this.channel.call(PeersServiceService.hint, { from: this.from, ...hintsMessage(hints) }, HINT_MS);
  }

  async takeCredentials(jobId: JobId): Promise<PartnerCredentials | null> {
    const request = { from: this.from, jobId };
    const found = await this.channel.call(PeersServiceService.takeCredentials, request, CREDENTIALS_MS);
    return credentialsOf(found.credentials);
  }

  async keepCredentials(held: readonly HeldCredentials[]): Promise<void> {
    const request = { from: this.from, held: heldMessages(held) };
    const { kept } = await this.channel.call(PeersServiceService.keepCredentials, request, CREDENTIALS_MS);
    if (kept) return;
    throw new ServiceAwayError(this.channel.service, 'the address of another replica leads back to this one', false);
  }
}
