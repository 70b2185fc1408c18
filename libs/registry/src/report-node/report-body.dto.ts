import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { isAbsent, OneOf, OptionalText } from '../read-request/body-rules.js';
import type { GivenFields } from '../read-request/given-fields.js';

const REASONS = ['malware', 'spam', 'impersonation', 'other'];

/** What is wrong with a node. */
export class ReportBody {
  @OneOf(REASONS)
  reason: unknown;

  @OptionalText(REGISTRY_LIMITS.text)
  message: unknown;

  constructor(fields: GivenFields) {
    this.reason = fields['reason'];
    this.message = fields['message'];
  }

  toReport(): { readonly reason: string; readonly message: string } {
    return { reason: this.reason as string, message: isAbsent(this.message) ? '' : (this.message as string) };
  }
}
