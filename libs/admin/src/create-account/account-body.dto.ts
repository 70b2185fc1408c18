import type { LimitChanges } from '@heddle/contracts-messages';
import { IsObject, IsString, ValidateNested } from 'class-validator';
import { limitFields } from '../read-request/limit-fields.js';
import type { LimitFields } from '../read-request/limit-fields.js';

/** Body of a new account; the rules of name and limits belong to the accounts context. */
export class AccountBody {
  @IsString({ message: 'must be a string' })
  name: unknown;

  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  limits: LimitFields | null;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.name = fields['name'];
    this.limits = limitFields(fields['limits'] ?? {});
  }

  toName(): string {
    return this.name as string;
  }

  toLimits(): LimitChanges {
    return this.limits?.toChanges() ?? {};
  }
}
