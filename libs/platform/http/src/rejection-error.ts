import type { Rejection } from '@heddle/contracts-messages';

/** Carries a rejection out of code that can only throw; the envelope filter turns it into the answer. */
export class RejectionError extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.message);
  }
}
