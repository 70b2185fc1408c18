// linted as: libs/jobs/src/get-job/get-job.handler.ts
// expects: heddle/no-thrown-refusal
import { refuse } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';

export function getJob(): never {
  throw new RejectionError(refuse('not_found', { case: 'route' }));
}
