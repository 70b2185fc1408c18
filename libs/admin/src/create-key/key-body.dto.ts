import type { KeyRequest } from '@heddle/contracts-messages';
import { IsArray, IsNumber, IsOptional, IsString } from 'class-validator';

/** Body of a new key; the rules of its fields belong to the accounts context. */
export class KeyBody {
  @IsString({ message: 'must be a string' })
  account: unknown;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  name: unknown;

  @IsOptional()
  @IsArray({ message: 'must be an array of strings' })
  @IsString({ each: true, message: 'must be an array of strings' })
  scopes: unknown;

  @IsOptional()
  @IsNumber({}, { message: 'must be a number of seconds' })
  expires_in: unknown;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.account = fields['account'];
    this.name = fields['name'];
    this.scopes = fields['scopes'];
    this.expires_in = fields['expires_in'];
  }

  toRequest(): KeyRequest {
    return {
      account: this.account as string,
      name: (this.name ?? null) as string | null,
      scopes: (this.scopes ?? []) as readonly string[],
      expiresInS: (this.expires_in ?? null) as number | null,
    };
  }
}
