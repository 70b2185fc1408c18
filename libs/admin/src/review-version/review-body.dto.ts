import { IsString } from 'class-validator';
import { ReasonBody } from '../ban-target/reason-body.dto.js';
import type { Fields } from '../read-request/admin-body.js';

/** What an operator makes of a version, and why; which statuses there are belongs to the registry. */
export class ReviewBody extends ReasonBody {
  @IsString({ message: 'must be active, flagged, banned or deleted' })
  status: unknown;

  constructor(fields: Fields) {
    super(fields);
    this.status = fields['status'];
  }

  toStatus(): string {
    return this.status as string;
  }
}
