import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Max, Min, validateSync } from 'class-validator';
import { refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, MintRequest } from '@heddle/contracts-messages';

/** Shape of from-hash's body (api-v2, POST /assets/from-hash); the rules of hash, path and tags belong to assets. */
class MintBody {
  @IsString({ message: 'must be a string "blake3:" and 64 lower-case hex digits' })
  hash: unknown;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  file_path: unknown;

  @IsOptional()
  @IsArray({ message: 'must be an array of strings' })
  @ArrayMaxSize(16, { message: 'must hold at most 16 strings' })
  @IsString({ each: true, message: 'must be an array of strings' })
  tags: unknown;

  @IsOptional()
  @IsInt({ message: 'must be an integer from 60 to 604800' })
  @Min(60, { message: 'must be an integer from 60 to 604800' })
  @Max(604_800, { message: 'must be an integer from 60 to 604800' })
  expires_in: unknown;

  /** Copies only known fields, so that no client key (such as `__proto__`) has an effect. */
  constructor(fields: Readonly<Record<string, unknown>>) {
    this.hash = fields['hash'];
    this.file_path = fields['file_path'];
    this.tags = fields['tags'];
    this.expires_in = fields['expires_in'];
  }
}

export function parseMintBody(bytes: unknown): Answer<MintRequest> {
  const fields = parseObject(bytes);
  if (fields === null) return invalid({ body: 'must be a JSON object' });
  const body = new MintBody(fields);
  const problems = validateSync(body).map(({ property, constraints }) => [
    property,
    Object.values(constraints ?? {})[0],
  ]);
  if (problems.length > 0) return invalid(Object.fromEntries(problems) as Record<string, string>);
  const value = {
    hash: body.hash as string,
    filePath: (body.file_path ?? null) as string | null,
    tags: (body.tags ?? []) as readonly string[],
    expiresIn: (body.expires_in ?? null) as number | null,
  };
  return { ok: true, value };
}

function parseObject(body: unknown): Record<string, unknown> | null {
  if (!Buffer.isBuffer(body)) return null;
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function invalid(fields: Readonly<Record<string, string>>): Answer<never> {
  return rejected(refuse('invalid_request', { case: 'fields', fields, unknown: [] }, { details: { fields } }));
}
