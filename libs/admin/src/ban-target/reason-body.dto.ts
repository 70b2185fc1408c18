import { IsOptional, MaxLength } from 'class-validator';
import type { Fields } from '../read-request/admin-body.js';

const MAX_REASON = 1_000;

/** Why an operator decides so. */
export class ReasonBody {
  @IsOptional()
  @MaxLength(MAX_REASON, { message: `must be a string of at most ${MAX_REASON} characters` })
  reason: unknown;

  constructor(fields: Fields) {
    this.reason = fields['reason'];
  }

  toReason(): string {
    return (this.reason ?? '') as string;
  }
}
