import type { Rejection } from '@heddle/contracts-messages';

/** Carries a rejection out of a place that can only throw; the envelope filter turns it into its answer. */
export class RejectionError extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.message);
  }
}
