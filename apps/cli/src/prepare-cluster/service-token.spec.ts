import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newServiceKeyPair, TokenVerifier } from '@heddle/platform-service-calls';
import { afterAll, describe, expect, it } from 'vitest';
import { heddleInProcess as run } from '../heddle-in-process.fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'heddle-service-token-'));
const { privateKey, publicKey } = newServiceKeyPair();
const key = join(folder, 'signing-key.pem');
writeFileSync(key, privateKey);
const DEPLOYMENT = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';

async function issue(...words: string[]): Promise<{ readonly tokens: string[]; readonly lifeMs: number }> {
  const { code, out, err } = await run(['service-token', ...words, '--key', key, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { token, expires_at: expiresAt } = JSON.parse(out) as { token: string; expires_at: string };
  return { tokens: token.split('\n'), lifeMs: Date.parse(expiresAt) - Date.now() };
}

async function opens(token: string, audience: string): Promise<unknown> {
  const verified = await new TokenVerifier({ publicKeys: [publicKey], audience }).verify(`Bearer ${token}`);
  return verified.ok ? verified.identity : null;
}

describe('heddle service-token', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('makes a token for each service that the service calls', async () => {
    const { tokens } = await issue('worker', '--deployment', DEPLOYMENT.toUpperCase(), '--revision', '3');
    const called = ['jobs', 'assets', 'logs'];
    const identity = { service: 'worker', deploymentId: DEPLOYMENT, revision: 3 };
    const opened = tokens.map((token) => Promise.all(called.map((audience) => opens(token, audience))));
    expect(await Promise.all(opened)).toEqual([
      [identity, null, null],
      [null, identity, null],
      [null, null, identity],
    ]);
  });

  it.each([
    [[], '00000000-0000-7000-8000-000000000002'],
    [['--deployment', 'self-hosted'], '00000000-0000-7000-8000-000000000002'],
    [['--deployment', 'managed'], '00000000-0000-7000-8000-000000000003'],
  ])('names the pool of a worker with %j', async (words, deploymentId) => {
    const { tokens } = await issue('worker', ...words);
    expect(await opens(tokens[0]!, 'jobs')).toEqual({ service: 'worker', deploymentId, revision: 0 });
  });

  it('makes one token for the service that is named', async () => {
    const { tokens } = await issue('gateway', '--for', 'assets');
    expect(tokens).toHaveLength(1);
    expect(await opens(tokens[0]!, 'assets')).not.toBeNull();
    expect(await opens(tokens[0]!, 'jobs')).toBeNull();
  });

  it('makes them good for minutes or days', async () => {
    const minutes = (await issue('jobs', '--minutes', '15')).lifeMs / 60_000;
    const days = (await issue('jobs', '--days', '30')).lifeMs / 86_400_000;
    expect([Math.round(minutes), Math.round(days)]).toEqual([15, 30]);
  });

  it.each([
    [['gateway', '--days', '0'], '--days must be a whole number from 1 to 3650, not "0"'],
    [['gateway', '--minutes', 'x'], '--minutes must be a whole number from 1 to 1440, not "x"'],
    [['gateway', '--minutes', '5', '--days', '1'], '--days and --minutes exclude each other'],
    [['gateway', '--for', 'No!'], '"No!" is not a service; one of gateway, '],
    [['worker', '--deployment', 'alpha'], 'must be the id of a deployment, self-hosted or managed, not "alpha"'],
    [['worker', '--revision', '0'], '--revision must be a whole number from 1 to '],
    [['gateway', '--deployment', DEPLOYMENT], 'are for tokens of a worker, not of gateway'],
    [['nope'], '"nope" is not a service; one of gateway, '],
  ])('%j is wrong usage', async (words, message) => {
    const { code, err } = await run(['service-token', ...words, '--key', key]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it.each([
    [folder, 'is a folder, not a file'],
    [join(folder, 'nope.pem'), 'does not exist'],
    ['README.md', 'holds no private Ed25519 key in PEM form'],
  ])('says what is wrong with the key file %s', async (file, reason) => {
    expect(await run(['service-token', 'gateway', '--key', file])).toEqual({
      code: 2,
      out: '',
      err: `heddle: --key ${file} ${reason}\n        heddle service-token --new-key makes a key\n`,
    });
  });
});
