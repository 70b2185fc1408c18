import { Injectable } from '@nestjs/common';
import type { PinnedCatalogue, SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import { ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';

/** Validation in the caller's own process. */
@Injectable()
export class LocalValidation implements ValidationPort {
  constructor(private readonly submissions: ValidateSubmissionHandler) {}

  validate(body: Uint8Array, catalogue: PinnedCatalogue | null): Promise<SubmissionVerdict> {
    return this.submissions.handle(body, catalogue);
  }
}
