import { JOB_LIMITS_PORT, MAX_ASKED_USAGE } from '@heddle/contracts-messages';
import type { AccountId, JobLimitsPort } from '@heddle/contracts-messages';
import { GrpcController } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { idOf, idsOf } from '../encode-values/call-values.js';
import { JobLimitsServiceService } from '../generated/heddle/jobs/v1/limits.js';
import type {
  LimitAccountRequest,
  LimitAccountResponse,
  OpenJobsRequest,
  OpenJobsResponse,
} from '../generated/heddle/jobs/v1/limits.js';
import { GATEWAYS } from '../internal-calls.js';

/** Serves JobLimitsPort over gRPC. */
@GrpcController(JobLimitsServiceService)
class JobLimitsController implements Serving<typeof JobLimitsServiceService> {
  constructor(@Inject(JOB_LIMITS_PORT) private readonly limits: JobLimitsPort) {}

  async limitAccount({ accountId, version, ...own }: LimitAccountRequest): Promise<LimitAccountResponse> {
    const limits = { queueDepth: own.queueDepth ?? null, running: own.running ?? null };
    await this.limits.limitAccount(idOf<AccountId>(accountId, 'account'), limits, version);
    return {};
  }

  async openJobs({ accountIds }: OpenJobsRequest): Promise<OpenJobsResponse> {
    const open = await this.limits.openJobsOf(idsOf<AccountId>(accountIds, 'account_ids', MAX_ASKED_USAGE));
    return { accounts: [...open].map(([accountId, jobs]) => ({ accountId, ...jobs })) };
  }
}

export const JOB_LIMITS_CALLS = {
  definition: JobLimitsServiceService,
  rules: {
    limitAccount: { openTo: GATEWAYS },
    openJobs: { openTo: GATEWAYS },
  },
  controller: JobLimitsController,
} satisfies Omit<ServedContext, 'providers'>;

/** What gateways pass on from operators to the jobs service. */
export function servedJobLimits(limits: JobLimitsPort): ServedContext {
  return { ...JOB_LIMITS_CALLS, providers: [{ provide: JOB_LIMITS_PORT, useValue: limits }] };
}
