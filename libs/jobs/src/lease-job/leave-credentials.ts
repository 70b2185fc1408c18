import { Injectable } from '@nestjs/common';
import { JobsLog } from '../jobs-log.js';
import { Peers } from '../tell-peers/peers.js';
import { CredentialVault } from './credential-vault.js';

/**
 * Gives the partner credentials of waiting jobs to another replica before this one stops. They stay here too: a replica
 * that asks before it sees the new holder finds them as long as this process answers.
 */
@Injectable()
export class LeaveCredentials {
  constructor(
    private readonly vault: CredentialVault,
    private readonly peers: Peers,
    private readonly log: JobsLog,
  ) {}

  async leave(): Promise<void> {
    const held = this.vault.all();
    if (await this.peers.leaveCredentials(held)) return;
    this.log.noticed('no replica took the partner credentials of jobs that wait', { jobs: held.length });
  }
}
