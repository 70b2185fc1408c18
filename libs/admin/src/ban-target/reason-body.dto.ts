import { applyDecorators } from '@nestjs/common';
import { IsOptional, MaxLength } from 'class-validator';
import type { Fields } from '../read-request/admin-body.js';

const MAX_REASON = 1_000;

export const OptionalReason = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    MaxLength(MAX_REASON, { message: `must be a string of at most ${MAX_REASON} characters` }),
  );

/** Why an operator decides so. */
export class ReasonBody {
  @OptionalReason()
  reason: unknown;

  constructor(fields: Fields) {
    this.reason = fields['reason'];
  }

  toReason(): string {
    return (this.reason ?? '') as string;
  }
}
