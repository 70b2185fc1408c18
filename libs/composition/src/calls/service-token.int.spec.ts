import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../settings/settings.js';
import { serviceTokenOf } from './service-token.js';

const folder = mkdtempSync(join(tmpdir(), 'heddle-held-tokens-'));
const { privateKey } = newServiceKeyPair();
const tokenFor = async (audience: string, expiresAt = 9_999_999_999): Promise<string> =>
  await issueServiceToken(privateKey, { service: 'gateway', audience, deploymentId: null, expiresAt });

describe('the tokens of a process', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are chosen by the service that is called', async () => {
    const held = [await tokenFor('jobs'), await tokenFor('assets')];
    const pick = serviceTokenOf(readSettings({ HEDDLE_SERVICE_TOKEN: held.join('\n') }));
    expect([pick('assets'), pick('jobs')]).toEqual([held[1], held[0]]);
    expect(() => pick('logs')).toThrow(
      'HEDDLE_SERVICE_TOKEN holds no token for calls of the logs service, only for jobs, assets',
    );
  });

  it('are the ones that last longest, wherever they stand', async () => {
    const [expired, short, long] = [
      await tokenFor('jobs', 1),
      await tokenFor('jobs', 5_000_000_000),
      await tokenFor('jobs'),
    ];
    for (const held of [
      [expired, long, short],
      [short, expired, long],
      [long, short, expired],
    ]) {
      expect(serviceTokenOf(readSettings({ HEDDLE_SERVICE_TOKEN: held.join('\n') }))('jobs')).toBe(long);
    }
  });

  it('of a version before audiences is one for all', () => {
    const pick = serviceTokenOf(readSettings({ HEDDLE_SERVICE_TOKEN: 'a.b.c' }));
    expect([pick('assets'), pick('jobs')]).toEqual(['a.b.c', 'a.b.c']);
  });

  it('are read again when their file was replaced, or written in place', async () => {
    const file = join(folder, 'gateway.token');
    writeFileSync(file, await tokenFor('jobs', 1));
    const pick = serviceTokenOf(readSettings({ HEDDLE_SERVICE_TOKEN_FILE: file }));
    expect(pick('jobs')).toBe(await tokenFor('jobs', 1));
    writeFileSync(`${file}.new`, await tokenFor('jobs', 2));
    renameSync(`${file}.new`, file);
    await vi.waitFor(async () => expect(pick('jobs')).toBe(await tokenFor('jobs', 2)), { timeout: 10_000 });
    writeFileSync(file, `${await tokenFor('assets', 3)}\n${await tokenFor('jobs', 3)}\n`);
    await vi.waitFor(async () => expect(pick('jobs')).toBe(await tokenFor('jobs', 3)), { timeout: 10_000 });
  });

  it('stay as they are while their file is away or empty', async () => {
    const file = join(folder, 'jobs.token');
    writeFileSync(file, await tokenFor('jobs', 1));
    const pick = serviceTokenOf(readSettings({ HEDDLE_SERVICE_TOKEN_FILE: file }));
    expect(pick('jobs')).toBe(await tokenFor('jobs', 1));
    writeFileSync(file, '');
    const until = performance.now() + 1_500;
    await vi.waitFor(async () => {
      expect(pick('jobs')).toBe(await tokenFor('jobs', 1));
      expect(performance.now()).toBeGreaterThan(until);
    }, 10_000);
    rmSync(file);
    writeFileSync(`${file}.new`, await tokenFor('jobs', 2));
    renameSync(`${file}.new`, file);
    await vi.waitFor(async () => expect(pick('jobs')).toBe(await tokenFor('jobs', 2)), { timeout: 10_000 });
  });

  it('that cannot be read are told at the start', () => {
    const pick = serviceTokenOf(readSettings({ HEDDLE_SERVICE_TOKEN_FILE: join(folder, 'none') }));
    expect(() => pick('jobs')).toThrow(/HEDDLE_SERVICE_TOKEN_FILE: .*none cannot be read \(ENOENT\)/);
  });
});
