import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TokenVerifier } from '@heddle/platform-service-calls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TokenIssuer } from './token-issuer.js';

const folder = mkdtempSync(join(tmpdir(), 'heddle-tokens-'));
const issuers: TokenIssuer[] = [];

function issuer(lifeSeconds: number): TokenIssuer {
  const made = new TokenIssuer(join(folder, 'tokens'), lifeSeconds, (error) => expect.fail(String(error)));
  issuers.push(made);
  return made;
}

const tokensIn = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

describe('the issuer of a cluster’s tokens', () => {
  afterEach(() => {
    issuers.splice(0).forEach((one) => one.stop());
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes a token for each service that a process calls, into a file that nobody else can read', async () => {
    const tokens = issuer(600);
    const file = await tokens.fileOf('gateway-1', 'gateway');
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'tokens')).mode & 0o777]).toEqual([0o600, 0o700]);
    const opens = async (audience: string): Promise<boolean[]> => {
      const verifier = new TokenVerifier({ publicKeys: [tokens.publicKey], audience, requireAudience: true });
      const verified = await Promise.all(tokensIn(file).map((token) => verifier.verify(`Bearer ${token}`)));
      return verified.map(({ ok }) => ok);
    };
    expect(await opens('jobs')).toEqual([true, false, false, false, false]);
    expect(await opens('assets')).toEqual([false, true, false, false, false]);
    expect(await opens('registry')).toEqual([false, false, false, false, true]);
    expect(await opens('worker')).toEqual([false, false, false, false, false]);
    tokens.stop();
    expect(existsSync(file)).toBe(false);
  });

  it('renews them after a third of their life', async () => {
    const file = await issuer(1).fileOf('jobs-1', 'jobs');
    const first = tokensIn(file);
    await vi.waitFor(() => expect(tokensIn(file)).not.toEqual(first), { timeout: 10_000 });
    const { exp } = JSON.parse(Buffer.from(first[0]!.split('.')[1]!, 'base64url').toString()) as { exp: number };
    expect(exp * 1000 - Date.now()).toBeLessThanOrEqual(2_000);
  });
});
