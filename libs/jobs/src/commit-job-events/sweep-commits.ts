import { Injectable } from '@nestjs/common';
import type { JobId } from '@heddle/contracts-messages';
import { plainArray } from '../group-commit/byte-arena.js';
import { UnreadableJobError, UnreadableJobs } from '../known-jobs/unreadable-jobs.js';
import type { Step } from './change-plan.js';
import { CommitJobEventsHandler } from './commit-job-events.handler.js';

/** Commits for a sweep over many jobs: a job that this build cannot read is skipped, and the others continue. */
@Injectable()
export class SweepCommits {
  constructor(
    private readonly commit: CommitJobEventsHandler,
    private readonly unreadable: UnreadableJobs,
  ) {}

  /** Jobs that a sweep's query must skip, as a `uuid[]`. */
  get leftAlone(): string {
    return plainArray(this.unreadable.jobs());
  }

  /** True if the step changed the job. */
  async handle(jobId: JobId, step: Step): Promise<boolean> {
    try {
      const { committed } = await this.commit.handle(jobId, [step]);
      return committed !== null;
    } catch (error) {
      if (!(error instanceof UnreadableJobError)) throw error;
      return false;
    }
  }
}
