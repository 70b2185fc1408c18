import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import { Peers } from '../notify-peers/peers.js';
import { CredentialVault } from './credential-vault.js';

/**
 * Copies the partner credentials of queued jobs to another replica before this one stops. They stay here too, for a
 * replica that asks before it knows the new holder.
 */
@Injectable()
export class LeaveCredentials {
  constructor(
    private readonly vault: CredentialVault,
    private readonly peers: Peers,
    private readonly log: BackgroundLogger,
  ) {}

  async leave(): Promise<void> {
    const held = this.vault.all();
    if (await this.peers.leaveCredentials(held)) return;
    this.log.warn('no replica accepted the partner credentials of queued jobs', { jobs: held.length });
  }
}
