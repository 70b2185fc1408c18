import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSigningKeys } from './registry-signing-keys.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('the keys that sign versions', () => {
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'heddle-signing-keys-'));
  });
  afterAll(async () => {
    await rm(data, { recursive: true });
  });

  it('are made by no replica of a cluster: without a file its start ends with what to do', async () => {
    await expect(openSigningKeys({ registrySigningKeys: null, data }, false)).rejects.toThrow(
      /^HEDDLE_REGISTRY_SIGNING_KEYS is unset: name the file .* all replicas of the registry/,
    );
    const missing = join(data, 'missing');
    for (const mayMake of [false, true]) {
      const refused = openSigningKeys({ registrySigningKeys: missing, data }, mayMake);
      await expect(refused).rejects.toThrow(`HEDDLE_REGISTRY_SIGNING_KEYS ${missing} cannot be used: ENOENT`);
      await expect(refused).rejects.toThrow(/; give all replicas of the registry the same file$/);
    }
    expect(await readdir(data)).toEqual([]);
  });

  it('are made once in the data folder, for its owner alone', async () => {
    const { file, keys } = await openSigningKeys({ registrySigningKeys: null, data }, true);
    expect(file).toBe(join(data, 'registry-keys'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await openSigningKeys({ registrySigningKeys: null, data }, true)).keys.map(({ id }) => id)).toEqual(
      keys.map(({ id }) => id),
    );
  });

  it('are read from the file that all replicas are given', async () => {
    const file = join(data, 'given');
    await writeFile(file, `a:${KEY}\n`);
    const { keys } = await openSigningKeys({ registrySigningKeys: file, data }, false);
    expect(keys.map(({ id }) => id)).toEqual(['a']);
    await writeFile(file, `a:${KEY}\nb:abc\n`);
    await expect(openSigningKeys({ registrySigningKeys: file, data }, false)).rejects.toThrow(/line 2 has 2 bytes/);
  });
});
