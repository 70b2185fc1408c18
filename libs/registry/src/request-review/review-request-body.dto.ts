import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { isAbsent, OptionalText } from '../read-request/body-rules.js';
import type { GivenFields } from '../read-request/given-fields.js';

/** Why a flagged version deserves another look. */
export class ReviewRequestBody {
  @OptionalText(REGISTRY_LIMITS.text)
  message: unknown;

  constructor(fields: GivenFields) {
    this.message = fields['message'];
  }

  toMessage(): string {
    return isAbsent(this.message) ? '' : (this.message as string);
  }
}
