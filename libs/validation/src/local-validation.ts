import { Injectable } from '@nestjs/common';
import type { NodePackage, PinnedCatalogue, SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import { MissingPackages } from './check-packages/missing-packages.js';
import { ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';

/** Validation in the caller's own process. */
@Injectable()
export class LocalValidation implements ValidationPort {
  constructor(
    private readonly submissions: ValidateSubmissionHandler,
    private readonly missing: MissingPackages,
  ) {}

  validate(body: Uint8Array, catalogue: PinnedCatalogue | null): Promise<SubmissionVerdict> {
    return this.submissions.handle(body, catalogue);
  }

  missingPackages(packages: readonly NodePackage[]): Promise<readonly NodePackage[] | null> {
    return this.missing.of(packages);
  }
}
