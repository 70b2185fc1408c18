import type { LimitChanges } from '@heddle/contracts-messages';
import { IsObject, ValidateNested } from 'class-validator';
import { limitFields } from '../read-request/limit-fields.js';
import type { LimitFields } from '../read-request/limit-fields.js';

/** Body of a change of limits; the rules of their values belong to the accounts context. */
export class LimitsBody {
  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  limits: LimitFields | null;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.limits = limitFields(fields['limits']);
  }

  toChanges(): LimitChanges {
    return this.limits?.toChanges() ?? {};
  }
}
