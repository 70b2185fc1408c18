import type {
  Answer,
  JobId,
  JobListQuery,
  JobPage,
  JobsPort,
  JobSubmission,
  JobView,
  Principal,
  SubmissionAnswer,
} from '@heddle/contracts-messages';
import { BatchedCalls } from '@heddle/platform-service-calls/call';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { answerOf } from '../encode-values/call-answers.js';
import { failureIn } from '../encode-values/call-failures.js';
import { labelMessages } from '../encode-values/labels.js';
import { JobsServiceService } from '../generated/heddle/jobs/v1/jobs.js';
import type {
  Submission,
  SubmissionAnswer as AnswerMessage,
  SubmitRequest,
  SubmitResponse,
} from '../generated/heddle/jobs/v1/jobs.js';
import { jobOf, pageOf, statusMessage } from './job-wire.js';
import { submissionAnswerOf, submissionMessage } from './submission-wire.js';

const SUBMIT_MS = 15_000;

/** Calls the jobs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteJobs implements JobsPort {
  readonly #submit: BatchedCalls<Submission, AnswerMessage, SubmitRequest, SubmitResponse>;

  constructor(private readonly channel: ServiceChannel) {
    this.#submit = new BatchedCalls(channel, {
      method: JobsServiceService.submit,
      deadlineMs: SUBMIT_MS,
      bytesOf: ({ workflow }) => workflow.length,
      requestOf: (submissions) => ({ submissions }),
      answersIn: ({ answers }) => answers,
      failureIn,
    });
  }

  async submit(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer> {
    const message = submissionMessage(principal, submission);
    return submissionAnswerOf(await this.#submit.call((origin) => ({ ...message, origin })));
  }

  async isKeyClaimed(principal: Principal, idempotencyKey: string): Promise<boolean> {
    return (await this.channel.call(JobsServiceService.isKeyClaimed, { principal, idempotencyKey })).isClaimed;
  }

  async get(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return answerOf(await this.channel.call(JobsServiceService.get, { principal, jobId }), jobOf);
  }

  async list(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>> {
    const request = {
      principal,
      statuses: query.statuses.map(statusMessage),
      limit: query.limit,
      cursor: query.cursor ?? undefined,
      idempotencyKey: query.idempotencyKey ?? undefined,
      metadata: labelMessages(query.metadata),
    };
    return answerOf(await this.channel.call(JobsServiceService.list, request), pageOf);
  }

  async cancel(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return answerOf(await this.channel.call(JobsServiceService.cancel, { principal, jobId }), jobOf);
  }

  async workflow(principal: Principal, jobId: JobId): Promise<Answer<Uint8Array>> {
    const answer = await this.channel.call(JobsServiceService.workflow, { principal, jobId });
    return answerOf(answer, (bytes: Uint8Array) => bytes);
  }

  async queuePositions(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    const { positions } = await this.channel.call(JobsServiceService.queuePositions, { jobIds: [...jobIds] });
    return new Map(positions.map(({ jobId, position }) => [jobId as JobId, position]));
  }
}
