import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRecord } from '../api/wire.js';
import { envValue } from '../command-line/env-value.js';
import { failed } from '../failure.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

/** Tokens of publishers by registry and publisher, in a file that only its owner can read. */
type Tokens = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function tokenFile(env: ProcessVariables): string {
  const home = envValue(env, 'HOME') ?? homedir();
  return join(envValue(env, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'heddle', 'registry-tokens.json');
}

/** The token that `registry login` has kept; null: there is none. */
export async function savedToken(env: ProcessVariables, registry: string, publisher: string): Promise<string | null> {
  const tokens = await readTokens(tokenFile(env));
  return tokens[registry]?.[publisher] ?? null;
}

/** Of every publisher of a registry. */
export async function savedTokens(env: ProcessVariables, registry: string): Promise<readonly string[]> {
  return Object.values((await readTokens(tokenFile(env)))[registry] ?? {});
}

export async function saveToken(
  env: ProcessVariables,
  registry: string,
  publisher: string,
  token: string,
): Promise<void> {
  const file = tokenFile(env);
  const tokens = await readTokens(file);
  const next: Tokens = { ...tokens, [registry]: { ...tokens[registry], [publisher]: token } };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A rename: a reader never sees half of it, and the mode of an older file does not stay.
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readTokens(file: string): Promise<Tokens> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const tokens = tokensIn(text);
  if (tokens === null) throw failed(`${file} does not hold saved tokens`, 'remove it and log in again');
  return tokens;
}

function tokensIn(text: string): Tokens | null {
  try {
    const tokens: unknown = JSON.parse(text);
    const isRight = isRecord(tokens) && Object.values(tokens).every((one) => isRecord(one));
    return isRight ? (tokens as Tokens) : null;
  } catch {
    return null;
  }
}
