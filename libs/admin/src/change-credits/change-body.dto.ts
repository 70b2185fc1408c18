import type { CreditChange } from '@heddle/contracts-messages';
import { IsNumber, IsOptional, IsString } from 'class-validator';

/** Body of a grant or a withdrawal; the rules of amount and note belong to the ledger. */
export class ChangeBody {
  @IsNumber({}, { message: 'must be a whole number' })
  amount: unknown;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  note: unknown;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.amount = fields['amount'];
    this.note = fields['note'];
  }

  toChange(): CreditChange {
    return { amount: this.amount as number, note: (this.note ?? null) as string | null };
  }
}
