import type { LimitChanges } from '@heddle/contracts-messages';
import { IsObject } from 'class-validator';
import { limitChanges } from '../read-request/limit-fields.js';

/** Body of a change of limits; the rules of their values belong to the accounts context. */
export class LimitsBody {
  @IsObject({ message: 'must be an object' })
  limits: unknown;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.limits = fields['limits'];
  }

  toChanges(): LimitChanges {
    return limitChanges(this.limits);
  }
}
