import { Injectable } from '@nestjs/common';
import { Secret } from '@heddle/contracts-messages';
import type { PartnerCredentials, SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import type { SubmittedCredentials } from '@heddle/workflow-graph';
import { finishVerdict, ValidateSubmissionHandler } from './validate-submission/validate-submission.handler.js';

/** Validation in the caller's own process; credentials leave it wrapped. */
@Injectable()
export class LocalValidation implements ValidationPort {
  constructor(private readonly submissions: ValidateSubmissionHandler) {}

  validate(body: Uint8Array): Promise<SubmissionVerdict> {
    const judged = this.submissions.handle(body);
    if (judged.outcome === 'rejected') return Promise.resolve({ kind: 'malformed', rejection: judged.rejection });
    const { workflow, nodesTotal, metadata, assetIds, fileNames } = judged;
    return Promise.resolve({
      kind: 'checked',
      rejection: judged.hasProblems ? finishVerdict(judged, { has: () => true }) : null,
      workflow,
      nodesTotal,
      metadata,
      credentials: wrap(judged.credentials),
      assetIds,
      names: fileNames,
      finish: (answeredNames) => finishVerdict(judged, answeredNames),
    });
  }
}

function wrap(submitted: SubmittedCredentials | null): PartnerCredentials | null {
  if (submitted === null) return null;
  const { apiKeyPartnerOrg, authTokenPartnerOrg } = submitted;
  return {
    ...(typeof apiKeyPartnerOrg === 'string' ? { apiKey: new Secret(apiKeyPartnerOrg) } : {}),
    ...(typeof authTokenPartnerOrg === 'string' ? { authToken: new Secret(authTokenPartnerOrg) } : {}),
  };
}
