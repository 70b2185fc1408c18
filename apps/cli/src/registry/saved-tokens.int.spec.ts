import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { savedToken, tokenFile } from './saved-tokens.js';

const tokenOf = (id: string): string => PUBLISHER_TOKEN.format(id.padEnd(16, '0'), 'a'.repeat(43));

describe('heddle registry login', () => {
  let home: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'heddle-home-'));
    env = { HOME: home, HEDDLE_REGISTRY_URL: '127.0.0.1:9/reg/' };
  });
  afterEach(async () => await rm(home, { recursive: true }));

  const login = async (publisher: string, token: string) =>
    await heddleInProcess(['registry', 'login', publisher, '--json'], { ...env, HEDDLE_REGISTRY_TOKEN: token });

  it('keeps a token for its registry and publisher, readable by its owner alone', async () => {
    const said = await login('acme', tokenOf('a'));
    expect(said).toMatchObject({ code: 0, out: '{"publisher":"acme","registry":"http://127.0.0.1:9/reg"}\n' });
    await login('beta', tokenOf('b'));
    await login('acme', tokenOf('c'));
    expect(await savedToken(env, 'http://127.0.0.1:9/reg', 'acme')).toBe(tokenOf('c'));
    expect(await savedToken(env, 'http://127.0.0.1:9/reg', 'beta')).toBe(tokenOf('b'));
    expect(await savedToken(env, 'http://127.0.0.1:9', 'acme')).toBeNull();
    expect((await stat(tokenFile(env))).mode & 0o777).toBe(0o600);
    expect(said.out + said.err).not.toContain('hdr_');
  });

  it('keeps nothing that is not a whole token', async () => {
    for (const text of ['hdr_abc', tokenOf('a').slice(0, -1), tokenOf('a').replace('hdr_', 'hdl_')])
      expect(await login('acme', text)).toMatchObject({ code: 2 });
    await expect(readFile(tokenFile(env))).rejects.toThrow('ENOENT');
  });

  it('names the file that it cannot read', async () => {
    await login('acme', tokenOf('a'));
    await writeFile(tokenFile(env), '[]');
    const { code, err } = await login('acme', tokenOf('b'));
    expect([code, err]).toEqual([1, expect.stringContaining(`${tokenFile(env)} does not hold saved tokens`)]);
    expect(dirname(tokenFile({ XDG_CONFIG_HOME: '/x' }))).toBe('/x/heddle');
  });
});
