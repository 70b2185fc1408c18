import { Injectable } from '@nestjs/common';
import type { SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import { ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';

/** Validation in the caller's own process. */
@Injectable()
export class LocalValidation implements ValidationPort {
  constructor(private readonly submissions: ValidateSubmissionHandler) {}

  validate(body: Uint8Array): Promise<SubmissionVerdict> {
    return this.submissions.handle(body);
  }
}
