import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { savedToken, savedTokens, saveToken, tokenFile } from './saved-tokens.js';

const tokenOf = (id: string): string => PUBLISHER_TOKEN.format(id.padEnd(16, '0'), 'a'.repeat(43));

describe('the tokens that heddle registry login keeps', () => {
  let home: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'heddle-home-'));
    env = { HOME: home, HEDDLE_REGISTRY_URL: '127.0.0.1:9/reg/' };
  });
  afterEach(async () => await rm(home, { recursive: true }));

  const login = async (publisher: string, token: string) =>
    await heddleInProcess(['registry', 'login', publisher, '--json'], { ...env, HEDDLE_REGISTRY_TOKEN: token });

  it('are kept by registry and publisher, readable by their owner alone', async () => {
    const registry = 'http://127.0.0.1:9/reg';
    await saveToken(env, registry, 'acme', tokenOf('a'));
    await saveToken(env, registry, 'beta', tokenOf('b'));
    await saveToken(env, registry, 'acme', tokenOf('c'));
    expect(await savedToken(env, registry, 'acme')).toBe(tokenOf('c'));
    expect(await savedToken(env, registry, 'beta')).toBe(tokenOf('b'));
    expect(await savedTokens(env, registry)).toEqual([tokenOf('c'), tokenOf('b')]);
    expect(await savedToken(env, 'http://127.0.0.1:9', 'acme')).toBeNull();
    expect(await savedTokens(env, 'http://127.0.0.1:9')).toEqual([]);
    expect((await stat(tokenFile(env))).mode & 0o777).toBe(0o600);
  });

  it('are whole tokens', async () => {
    for (const text of ['hdr_abc', tokenOf('a').slice(0, -1), tokenOf('a').replace('hdr_', 'hdl_')])
      expect(await login('acme', text)).toMatchObject({ code: 2 });
    await expect(readFile(tokenFile(env))).rejects.toThrow('ENOENT');
  });

  it('are in a file that is named where it cannot be read', async () => {
    await saveToken(env, 'http://127.0.0.1:9', 'acme', tokenOf('a'));
    await writeFile(tokenFile(env), '[]');
    const { code, err } = await heddleInProcess(['registry', 'show', 'pack'], env);
    expect([code, err]).toEqual([1, expect.stringContaining(`${tokenFile(env)} does not hold saved tokens`)]);
    expect(dirname(tokenFile({ XDG_CONFIG_HOME: '/x' }))).toBe('/x/heddle');
  });
});
