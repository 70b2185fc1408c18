import { Injectable } from '@nestjs/common';
import type { DeploymentId, JobId, PartnerCredentials } from '@heddle/contracts-messages';
import { CredentialVault } from '../lease-job/credential-vault.js';
import { keepsSealed } from './sealed-arguments.js';
import type { SealedCredentials } from './sealed-credentials.js';
import { SealedRows } from './sealed-rows.js';

/** Keeps the partner credentials of a submission as its surface does: in memory, or in a row that the submission writes. */
@Injectable()
export class KeepCredentials {
  constructor(
    private readonly vault: CredentialVault,
    private readonly rows: SealedRows,
  ) {}

  /** Returns what the submission's statement must write; null: nothing. */
  keep(deploymentId: DeploymentId, jobId: JobId, credentials: PartnerCredentials | null): SealedCredentials | null {
    if (credentials === null) return null;
    if (keepsSealed(deploymentId)) return this.rows.seal(jobId, credentials);
    this.vault.put(jobId, credentials);
    return null;
  }

  /** The submission made no job, so it wrote no sealed row: only a copy in memory can be left. */
  destroy(jobId: JobId): void {
    this.vault.destroy(jobId);
  }
}
