import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobListQuery, JobsPort } from '@heddle/contracts-messages';
import { BatchAnswers, GrpcController, MalformedCallError } from '@heddle/platform-service-calls/serve';
import type { ServedContext, Serving } from '@heddle/platform-service-calls/serve';
import { Inject } from '@nestjs/common';
import { resultOf } from '../encode-values/call-answers.js';
import { failureResult } from '../encode-values/call-failures.js';
import { idOf, idsOf, principalOf, textOfJson } from '../encode-values/call-values.js';
import { labelsOf } from '../encode-values/labels.js';
import { JobsServiceService } from '../generated/heddle/jobs/v1/jobs.js';
import type {
  CancelRequest,
  CancelResponse,
  GetRequest,
  GetResponse,
  IsKeyClaimedRequest,
  IsKeyClaimedResponse,
  JobStatus as StatusMessage,
  ListRequest,
  ListResponse,
  QueuePositionsRequest,
  QueuePositionsResponse,
  Submission,
  SubmissionAnswer,
  SubmitRequest,
  SubmitResponse,
  WorkflowRequest,
  WorkflowResponse,
} from '../generated/heddle/jobs/v1/jobs.js';
import { GATEWAYS } from '../internal-calls.js';
import { jobMessage, pageMessage, statusOf } from './job-wire.js';
import { submissionAnswerMessage, submissionOf } from './submission-wire.js';

const MAX_POSITIONS = 20_000;

/** Serves JobsPort over gRPC. A job whose id is not a UUID is not found. */
@GrpcController(JobsServiceService)
class JobsController implements Serving<typeof JobsServiceService> {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly answers: BatchAnswers,
  ) {}

  async submit({ submissions }: SubmitRequest): Promise<SubmitResponse> {
    return { answers: await this.answers.of(submissions, (one) => this.#submitOne(one), failureResult) };
  }

  async #submitOne(message: Submission): Promise<SubmissionAnswer> {
    idOf(message.jobId, 'job');
    const submission = submissionOf(message, labelText);
    return submissionAnswerMessage(await this.jobs.submit(principalOf(message.principal), submission));
  }

  async isKeyClaimed({ principal, idempotencyKey }: IsKeyClaimedRequest): Promise<IsKeyClaimedResponse> {
    return { isClaimed: await this.jobs.isKeyClaimed(principalOf(principal), idempotencyKey) };
  }

  async get({ principal, jobId }: GetRequest): Promise<GetResponse> {
    return resultOf('job', await this.jobs.get(principalOf(principal), jobId as JobId), jobMessage);
  }

  async list({ principal, ...query }: ListRequest): Promise<ListResponse> {
    return resultOf('page', await this.jobs.list(principalOf(principal), queryOf(query)), pageMessage);
  }

  async cancel({ principal, jobId }: CancelRequest): Promise<CancelResponse> {
    return resultOf('job', await this.jobs.cancel(principalOf(principal), jobId as JobId), jobMessage);
  }

  async workflow({ principal, jobId }: WorkflowRequest): Promise<WorkflowResponse> {
    const answer = await this.jobs.workflow(principalOf(principal), jobId as JobId);
    return resultOf('workflow', answer, (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  async queuePositions({ jobIds }: QueuePositionsRequest): Promise<QueuePositionsResponse> {
    const positions = await this.jobs.queuePositions(idsOf<JobId>(jobIds, 'job_ids', MAX_POSITIONS));
    return { positions: [...positions].map(([jobId, position]) => ({ jobId, position })) };
  }
}

function queryOf({ statuses, limit, cursor, idempotencyKey, metadata }: Omit<ListRequest, 'principal'>): JobListQuery {
  return {
    statuses: statuses.map(statusIn),
    limit,
    cursor: cursor ?? null,
    idempotencyKey: idempotencyKey ?? null,
    metadata: labelsOf(metadata, labelText),
  };
}

function statusIn(message: StatusMessage) {
  const status = statusOf(message);
  if (status === undefined) throw new MalformedCallError(`${message} is not a job status`);
  return status;
}

function labelText(json: string): string {
  return textOfJson(json, 'value_json');
}

export const JOBS_CALLS = {
  definition: JobsServiceService,
  rules: {
    submit: { openTo: GATEWAYS, maxBytes: 'body' },
    isKeyClaimed: { openTo: GATEWAYS },
    get: { openTo: GATEWAYS },
    list: { openTo: GATEWAYS },
    cancel: { openTo: GATEWAYS },
    workflow: { openTo: GATEWAYS },
    queuePositions: { openTo: GATEWAYS },
  },
  controller: JobsController,
} satisfies Omit<ServedContext, 'providers'>;

/** The calls of gateways to the jobs service. */
export function servedJobsPort(jobs: JobsPort): ServedContext {
  return { ...JOBS_CALLS, providers: [{ provide: JOBS_PORT, useValue: jobs }] };
}
