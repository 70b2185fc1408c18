import type { Refusal } from './refusal.js';

/** Carries a rejection out of code that can only throw; the envelope filter turns it into the answer. */
export class RejectionError extends Error {
  constructor(readonly rejection: Refusal) {
    super(rejection.message);
  }
}
