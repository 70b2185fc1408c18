import { accepted } from '@heddle/contracts-messages';
import type {
  Answer,
  JobId,
  JobListQuery,
  JobPage,
  JobsPort,
  JobSubmission,
  JobView,
  Principal,
  Rejection,
  SubmissionAnswer,
} from '@heddle/contracts-messages';
import { ServiceAwayError } from '@heddle/platform-service-calls';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';
import { encodeSubmission } from './job-wire.js';

const SUBMIT_MS = 15_000;
/** Looks for a job whose submission was not answered, and the pause before each. */
const LOOKS_MS = [0, 100, 400];

/** The jobs service in another process. Throws ServiceAwayError where it does not answer. */
export class RemoteJobs implements JobsPort {
  constructor(private readonly client: ServiceClient) {}

  async submit(principal: Principal, submission: JobSubmission): Promise<SubmissionAnswer> {
    const message = encodeSubmission(principal, submission);
    try {
      const call = { ...message, path: CALLS.jobs.submit, deadlineMs: SUBMIT_MS, repeatable: false, gather: true };
      return (await this.client.call(call)).head as SubmissionAnswer;
    } catch (error) {
      if (!(error instanceof ServiceAwayError) || !error.mayHaveActed) throw error;
      const found = await this.#lookFor(principal, submission.jobId);
      if (found === null) throw error;
      return { ok: true, value: found };
    }
  }

  async isKeyClaimed(principal: Principal, idempotencyKey: string): Promise<boolean> {
    return (await this.#ask(CALLS.jobs.isKeyClaimed, { principal, idempotencyKey })) as boolean;
  }

  async get(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return (await this.#ask(CALLS.jobs.get, { principal, jobId })) as Answer<JobView>;
  }

  async list(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>> {
    return (await this.#ask(CALLS.jobs.list, { principal, query })) as Answer<JobPage>;
  }

  async cancel(principal: Principal, jobId: JobId): Promise<Answer<JobView>> {
    return (await this.#ask(CALLS.jobs.cancel, { principal, jobId })) as Answer<JobView>;
  }

  async workflow(principal: Principal, jobId: JobId): Promise<Answer<Uint8Array>> {
    const call = { path: CALLS.jobs.workflow, head: { principal, jobId }, repeatable: true };
    const { head, bytes } = await this.client.call(call);
    const answer = head as { ok: true } | { ok: false; rejection: Rejection };
    return answer.ok ? accepted(bytes) : answer;
  }

  async queuePositions(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    return new Map((await this.#ask(CALLS.jobs.queuePositions, { jobIds })) as [JobId, number][]);
  }

  /** Calls that change nothing, or come to the same when they are made twice. */
  async #ask(path: string, head: object): Promise<unknown> {
    return (await this.client.call({ path, head, repeatable: true })).head;
  }

  /** The id was assigned here: where a job has it, the submission was taken, whatever became of its answer. */
  async #lookFor(principal: Principal, jobId: JobId): Promise<JobView | null> {
    for (const pauseMs of LOOKS_MS) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const answer = await this.get(principal, jobId).catch(() => null);
      if (answer?.ok === true) return answer.value;
    }
    return null;
  }
}
