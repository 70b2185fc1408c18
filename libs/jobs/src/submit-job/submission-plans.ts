import { Injectable } from '@nestjs/common';
import type { JobSubmission, Principal } from '@heddle/contracts-messages';
import { KnownTerms } from '../limit-accounts/known-terms.js';
import { FormatNotAllowedError, LogFormat } from '../notify-peers/log-format.js';
import { JobsSettings } from '../settings.js';
import { planSubmission } from './plan-submission.js';
import type { PlannedSubmission } from './plan-submission.js';

/** Plans submissions with the terms of their deployment as this process knows them. */
@Injectable()
export class SubmissionPlans {
  constructor(
    readonly settings: JobsSettings,
    private readonly terms: KnownTerms,
    private readonly format: LogFormat,
  ) {}

  plan(principal: Principal, submission: JobSubmission): PlannedSubmission {
    const planned = planSubmission(principal, submission, this.settings, this.terms.of(principal.deploymentId));
    const schemaVersion = planned.item.terms?.schemaVersion ?? 1;
    if (schemaVersion > 1 && !this.format.allows('JobSubmitted', schemaVersion)) {
      throw new FormatNotAllowedError(
        'a job with a price or a revision needs every replica of this build or a later one',
      );
    }
    return planned;
  }

  /** The statement found other terms. */
  async termsChanged({ deploymentId }: Principal): Promise<void> {
    await this.terms.read(deploymentId);
  }
}
