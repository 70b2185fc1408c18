import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCredentialKeys } from './open-credential-keys.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('the keys of partner credentials', () => {
  let data: string;
  let file: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'heddle-credential-keys-'));
    file = join(data, 'given');
  });
  afterAll(async () => {
    await rm(data, { recursive: true });
  });

  const managed = (changes: object = {}) => ({ surface: 'managed', credentialKeys: null, data, ...changes }) as const;

  it('are opened where a surface stores credentials, and nowhere else', async () => {
    for (const surface of ['self-hosted', 'dedicated'] as const) {
      expect(await openCredentialKeys({ surface, credentialKeys: null, data }, true)).toBeNull();
    }
    expect(await readdir(data)).toEqual([]);
  });

  it('are made in the data folder once, for its owner alone, and outlive a restart', async () => {
    const { newest } = (await openCredentialKeys(managed(), true))!;
    expect((await openCredentialKeys(managed(), true))!.find(newest.id)).toEqual(newest);
    expect((await stat(join(data, 'credential-keys'))).mode & 0o777).toBe(0o600);
  });

  it('must be given to a replica of a cluster', async () => {
    await expect(openCredentialKeys(managed(), false)).rejects.toThrow(/^HEDDLE_CREDENTIAL_KEYS is unset/);
    await writeFile(file, `a:${KEY}\n`);
    expect((await openCredentialKeys(managed({ credentialKeys: file }), false))!.newest.id).toBe('a');
  });

  it.each([
    ['', /cannot be used: it has no line id:base64$/],
    ['a:not base64', /cannot be used: line 1 is not id:base64$/],
    [`a:${Buffer.alloc(31).toString('base64')}`, /cannot be used: line 1 has 31 bytes, expected 32$/],
    [`a:${KEY}\na:${KEY}`, /cannot be used: line 2 has the id of an earlier line, a$/],
  ])('are refused where the file says %j, without the key in the message', async (text, message) => {
    await writeFile(file, text);
    for (const mayMake of [true, false]) {
      const refused = openCredentialKeys(managed({ credentialKeys: file }), mayMake);
      await expect(refused).rejects.toThrow(message);
      await expect(refused).rejects.not.toThrow(KEY);
    }
  });

  it('are not made where a file is named', async () => {
    const refused = openCredentialKeys(managed({ credentialKeys: join(data, 'missing') }), true);
    await expect(refused).rejects.toThrow(/^HEDDLE_CREDENTIAL_KEYS .*missing cannot be used: ENOENT/);
  });
});
