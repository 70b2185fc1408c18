import { LEASE_AUTHORITY_PORT } from '@heddle/contracts-messages';
import type { LeaseAuthorityPort } from '@heddle/contracts-messages';
import { GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { LeaseAuthorityServiceService } from '../generated/heddle/jobs/v1/lease_authority.js';
import type { HolderRequest, HolderResponse } from '../generated/heddle/jobs/v1/lease_authority.js';
import { JOB_FOLLOWERS } from '../internal-calls.js';
import { leaseOf } from './callers-lease.js';

/** Serves LeaseAuthorityPort over gRPC. */
@GrpcController(LeaseAuthorityServiceService)
class LeaseAuthorityController implements Serving<typeof LeaseAuthorityServiceService> {
  constructor(@Inject(LEASE_AUTHORITY_PORT) private readonly authority: LeaseAuthorityPort) {}

  async holder(lease: HolderRequest): Promise<HolderResponse> {
    return { holder: (await this.authority.holderOf(leaseOf(lease))) ?? undefined };
  }
}

export const LEASE_AUTHORITY_CALLS = {
  definition: LeaseAuthorityServiceService,
  rules: { holder: { openTo: JOB_FOLLOWERS } },
  controller: LeaseAuthorityController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of services that serve workers to the jobs service. */
export function servedLeaseAuthority(authority: LeaseAuthorityPort): ServedContext {
  return { ...LEASE_AUTHORITY_CALLS, providers: [{ provide: LEASE_AUTHORITY_PORT, useValue: authority }] };
}
