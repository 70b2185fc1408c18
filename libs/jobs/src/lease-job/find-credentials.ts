import { Injectable } from '@nestjs/common';
import type { JobId, PartnerCredentials } from '@heddle/contracts-messages';
import { Peers } from '../notify-peers/peers.js';
import type { CredentialSearch } from '../notify-peers/peers.js';
import { CredentialVault } from './credential-vault.js';

/**
 * Finds partner credentials of a job: they are in the memory of the replica that accepted its submission
 * (docs/decisions/0013).
 */
@Injectable()
export class FindCredentials {
  constructor(
    private readonly vault: CredentialVault,
    private readonly peers: Peers,
  ) {}

  /** Credentials held by this replica. */
  here(jobId: JobId): PartnerCredentials | null {
    return this.vault.get(jobId);
  }

  /** False if no other replica could hold them. */
  get mayBeElsewhere(): boolean {
    return !this.peers.isAlone;
  }

  /** Credentials that are found are kept here too, until the job ends. */
  async elsewhere(jobId: JobId): Promise<CredentialSearch> {
    const found = await this.peers.findCredentials(jobId);
    if (found !== 'nobody' && found !== 'unknown') this.vault.put(jobId, found);
    return found;
  }

  drop(jobId: JobId): void {
    this.vault.destroy(jobId);
  }
}
