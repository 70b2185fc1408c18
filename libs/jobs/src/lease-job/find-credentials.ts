import { Injectable } from '@nestjs/common';
import type { DeploymentId, JobId, PartnerCredentials } from '@heddle/contracts-messages';
import { Peers } from '../notify-peers/peers.js';
import type { CredentialSearch } from '../notify-peers/peers.js';
import { keepsSealed } from '../seal-credentials/sealed-arguments.js';
import { SealedRows } from '../seal-credentials/sealed-rows.js';
import { CredentialVault } from './credential-vault.js';

/**
 * Finds partner credentials of a job: in the memory of the replica that accepted its submission (docs/decisions/0013),
 * or in their sealed row.
 */
@Injectable()
export class FindCredentials {
  constructor(
    private readonly vault: CredentialVault,
    private readonly peers: Peers,
    private readonly rows: SealedRows,
  ) {}

  /** Credentials held by this replica. */
  here(jobId: JobId): PartnerCredentials | null {
    return this.vault.get(jobId);
  }

  /** False if neither a row nor another replica could hold them. */
  mayBeElsewhere(deploymentId: DeploymentId): boolean {
    return keepsSealed(deploymentId) || !this.peers.isAlone;
  }

  /** Credentials of another replica are kept here too, until the job ends. */
  async elsewhere(jobId: JobId, deploymentId: DeploymentId): Promise<CredentialSearch> {
    if (keepsSealed(deploymentId)) return await this.rows.find(jobId);
    const found = await this.peers.findCredentials(jobId);
    if (found !== 'nobody' && found !== 'unknown') this.vault.put(jobId, found);
    return found;
  }

  destroy(jobId: JobId): void {
    this.vault.destroy(jobId);
  }
}
