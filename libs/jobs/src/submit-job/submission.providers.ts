import type { Provider } from '@nestjs/common';
import { LogPartitions } from '../age-log/log-partitions.js';
import { KnownTerms } from '../limit-accounts/known-terms.js';
import { KeepCredentials } from '../seal-credentials/keep-credentials.js';
import { SealedRows } from '../seal-credentials/sealed-rows.js';
import { HeldKeys } from './held-keys.js';
import { JobHandOver } from './job-hand-over.js';
import { SubmissionBatch } from './submission-batch.js';
import { SubmissionPlans } from './submission-plans.js';
import { SubmissionQueue } from './submission-queue.js';
import { SubmissionWriter } from './submission-writer.js';

/** What the handler of submissions uses: a plan, a key, credentials and a write. */
export const SUBMISSION: readonly Provider[] = [
  HeldKeys,
  LogPartitions,
  SubmissionBatch,
  SubmissionQueue,
  KnownTerms,
  SubmissionPlans,
  SubmissionWriter,
  SealedRows,
  KeepCredentials,
  JobHandOver,
];
