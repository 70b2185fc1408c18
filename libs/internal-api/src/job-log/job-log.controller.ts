import { JOB_LOG_PORT, MAX_ASKED_ENDS, MAX_ASKED_JOBS, MAX_PAGE_MESSAGES } from '@heddle/contracts-messages';
import type { JobLogPort } from '@heddle/contracts-messages';
import { GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { idsOf } from '../encode-values/call-values.js';
import { JobLogServiceService } from '../generated/heddle/jobs/v1/job_log.js';
import type {
  EndedRequest,
  EndedResponse,
  HoldingsRequest,
  HoldingsResponse,
  MessagesRequest,
  MessagesResponse,
} from '../generated/heddle/jobs/v1/job_log.js';
import { JOB_FOLLOWERS } from '../internal-calls.js';
import { holdingsMessages, pageMessage } from './job-log-wire.js';

/** Serves JobLogPort over gRPC. */
@GrpcController(JobLogServiceService)
class JobLogController implements Serving<typeof JobLogServiceService> {
  constructor(@Inject(JOB_LOG_PORT) private readonly jobLog: JobLogPort) {}

  async holdings({ jobIds }: HoldingsRequest): Promise<HoldingsResponse> {
    return { jobs: holdingsMessages(await this.jobLog.holdingsOf(idsOf(jobIds, 'job_ids', MAX_ASKED_JOBS))) };
  }

  async ended({ jobIds }: EndedRequest): Promise<EndedResponse> {
    return { jobIds: [...(await this.jobLog.endedOf(idsOf(jobIds, 'job_ids', MAX_ASKED_ENDS)))] };
  }

  async messages({ seq, limit }: MessagesRequest): Promise<MessagesResponse> {
    if (limit < 1 || limit > MAX_PAGE_MESSAGES) {
      throw new MalformedCallError(`limit must be a whole number from 1 to ${MAX_PAGE_MESSAGES}`);
    }
    return pageMessage(await this.jobLog.messagesAfter(seq, limit));
  }
}

export const JOB_LOG_CALLS = {
  definition: JobLogServiceService,
  rules: {
    holdings: { openTo: JOB_FOLLOWERS },
    ended: { openTo: JOB_FOLLOWERS },
    messages: { openTo: JOB_FOLLOWERS },
  },
  controller: JobLogController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of services that follow jobs to the jobs service. */
export function servedJobLog(jobLog: JobLogPort): ServedContext {
  return { ...JOB_LOG_CALLS, providers: [{ provide: JOB_LOG_PORT, useValue: jobLog }] };
}
