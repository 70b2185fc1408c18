import { IsString } from 'class-validator';
import { OptionalReason } from '../ban-target/reason-body.dto.js';
import type { Fields } from '../read-request/admin-body.js';

/** What an operator makes of a version, and why; which statuses there are belongs to the registry. */
export class ReviewBody {
  @OptionalReason()
  reason: unknown;

  @IsString({ message: 'must be active, flagged, banned or deleted' })
  status: unknown;

  constructor(fields: Fields) {
    this.reason = fields['reason'];
    this.status = fields['status'];
  }

  toReason(): string {
    return (this.reason ?? '') as string;
  }

  toStatus(): string {
    return this.status as string;
  }
}
