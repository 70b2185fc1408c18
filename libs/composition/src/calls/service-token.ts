import { readFileSync, statSync } from 'node:fs';
import type { DeploymentId, WorkerPool } from '@heddle/contracts-messages';
import { SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

/** The token for calls of one other service. */
type TokenFor = (audience: string) => string;

/**
 * The tokens of this process from the settings, one for each called service. A token file is read again when it
 * changes, so that tokens can be renewed.
 */
export function serviceTokenOf({ serviceToken, serviceTokenFile }: Settings): TokenFor {
  if (serviceTokenFile !== null) return fileTokens(serviceTokenFile);
  if (serviceToken === null) {
    throw new SettingRefused(
      'HEDDLE_SERVICE_TOKEN and HEDDLE_SERVICE_TOKEN_FILE are unset: other services refuse calls without a token (heddle service-token creates one)',
    );
  }
  return (audience) => pick('HEDDLE_SERVICE_TOKEN', tokensIn(serviceToken), audience);
}

/**
 * When the longest-lasting token for each service expires, in seconds since 1970: those of `any` from an older version
 * are for all. Tokens without an expiry are left out. Nothing is held while the file cannot be read.
 */
export function tokenExpiries({
  serviceToken,
  serviceTokenFile: file,
}: Pick<Settings, 'serviceToken' | 'serviceTokenFile'>): ReadonlyMap<string, number> {
  const tokens = tokensIn(file === null ? (serviceToken ?? '') : readTokenFile(file));
  const expiries = new Map<string, number>();
  for (const { audiences, expiresAt } of tokens)
    for (const audience of audiences ?? ['any'])
      expiries.set(audience, Math.max(expiresAt, expiries.get(audience) ?? 0));
  return new Map([...expiries].filter(([, expiresAt]) => Number.isFinite(expiresAt)));
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A renewed token is used within this time. */
const LOOK_EVERY_MS = 1_000;

function fileTokens(file: string): TokenFor {
  let lookedAt = -Infinity;
  let version = '';
  let tokens: readonly HeldToken[] = [];
  return (audience) => {
    if (performance.now() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = performance.now();
      try {
        const { mtimeMs, ino, size } = statSync(file);
        const found = `${mtimeMs} ${ino} ${size}`;
        // A file truncated by a writer that does not rename is read again at the next check.
        const read = found === version ? [] : tokensIn(readFileSync(file, 'utf8'));
        if (read.length > 0) [tokens, version] = [read, found];
      } catch (error) {
        // A file that is being replaced exists again at the next check; the last tokens are still valid.
        if (tokens.length === 0) {
          throw new SettingRefused(
            `HEDDLE_SERVICE_TOKEN_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
          );
        }
      }
    }
    return pick(`HEDDLE_SERVICE_TOKEN_FILE: ${file}`, tokens, audience);
  };
}

interface HeldToken {
  readonly text: string;
  /** Null: a token without audience from an older version, valid for every service. */
  readonly audiences: readonly string[] | null;
  /** Seconds since 1970; infinite if the token has no expiry. */
  readonly expiresAt: number;
}

/** Parses one token per line, longest validity first; the claims are only used to select a token. */
function tokensIn(text: string): readonly HeldToken[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(heldToken)
    .toSorted((a, b) => (a.expiresAt === b.expiresAt ? 0 : b.expiresAt - a.expiresAt));
}

function heldToken(text: string): HeldToken {
  const { aud, exp } = claimsOf(text);
  const audiences = aud === undefined ? null : [aud].flat().map(String);
  return { text, audiences, expiresAt: typeof exp === 'number' ? exp : Infinity };
}

/** The pool that a worker's token names; null if it names none. */
export function poolOfToken(token: string): WorkerPool | null {
  const { dep, rev = 0 } = claimsOf(token);
  if (typeof dep !== 'string') return null;
  return { deploymentId: dep as DeploymentId, revision: typeof rev === 'number' ? rev : 0 };
}

/** The claims of a token, unverified; none if it is not one. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

function pick(where: string, tokens: readonly HeldToken[], audience: string): string {
  const token =
    tokens.find(({ audiences }) => audiences?.includes(audience) === true) ??
    tokens.find(({ audiences }) => audiences === null);
  if (token !== undefined) return token.text;
  const held = tokens.flatMap(({ audiences }) => audiences ?? []).join(', ');
  throw new SettingRefused(
    `${where} holds no token for calls of the ${audience} service, only for ${held || 'none'}: heddle service-token creates one`,
  );
}
