import { ASSET_LIMITS } from '@heddle/contracts-api-v2';
import type { MintRequest } from '@heddle/contracts-messages';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

const { minExpiresIn, maxExpiresIn, maxTags } = ASSET_LIMITS;
const tagList = { message: `must be an array of at most ${maxTags} strings` };
const expiry = { message: `must be an integer from ${minExpiresIn} to ${maxExpiresIn}` };

/** Shape of from-hash's body (api-v2, POST /assets/from-hash); the rules of hash, path and tags belong to assets. */
export class MintBody {
  @IsString({ message: 'must be a string "blake3:" and 64 lower-case hex digits' })
  hash: unknown;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  file_path: unknown;

  @IsOptional()
  @IsArray(tagList)
  @ArrayMaxSize(maxTags, tagList)
  @IsString({ each: true, ...tagList })
  tags: unknown;

  @IsOptional()
  @IsInt(expiry)
  @Min(minExpiresIn, expiry)
  @Max(maxExpiresIn, expiry)
  expires_in: unknown;

  /** Copies only known fields, so that no client key (such as `__proto__`) has an effect. */
  constructor(fields: Readonly<Record<string, unknown>>) {
    this.hash = fields['hash'];
    this.file_path = fields['file_path'];
    this.tags = fields['tags'];
    this.expires_in = fields['expires_in'];
  }

  toRequest(): MintRequest {
    return {
      hash: this.hash as string,
      filePath: (this.file_path ?? null) as string | null,
      tags: (this.tags ?? []) as readonly string[],
      expiresIn: (this.expires_in ?? null) as number | null,
    };
  }
}
