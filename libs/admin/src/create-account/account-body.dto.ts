import type { LimitChanges } from '@heddle/contracts-messages';
import { IsObject, IsOptional, IsString } from 'class-validator';
import { limitChanges } from '../read-request/limit-fields.js';

/** Body of a new account; the rules of name and limits belong to the accounts context. */
export class AccountBody {
  @IsString({ message: 'must be a string' })
  name: unknown;

  @IsOptional()
  @IsObject({ message: 'must be an object' })
  limits: unknown;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.name = fields['name'];
    this.limits = fields['limits'];
  }

  toName(): string {
    return this.name as string;
  }

  toLimits(): LimitChanges {
    return limitChanges(this.limits);
  }
}
