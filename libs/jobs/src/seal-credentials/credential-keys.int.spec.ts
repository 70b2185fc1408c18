import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CredentialKeys } from './credential-keys.js';

const line = (id: string): string => `${id}:${Buffer.alloc(32, id).toString('base64')}\n`;

describe('the keys of partner credentials', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-credential-keys-'));
    file = join(folder, 'keys');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('are read again when the file changes; the last line seals, every line unseals', async () => {
    await writeFile(file, line('a'));
    const keys = await CredentialKeys.open(file);
    expect(keys.newest.id).toBe('a');
    expect(await keys.readAgain()).toBe(false);
    await writeFile(file, line('a') + line('b'));
    expect(await keys.readAgain()).toBe(true);
    expect([keys.newest.id, keys.ids]).toEqual(['b', ['a', 'b']]);
    expect(keys.find('a')?.secret.export()).toEqual(Buffer.alloc(32, 'a'));
    await writeFile(file, line('b'));
    expect(await keys.readAgain()).toBe(true);
    expect(keys.find('a')).toBeUndefined();
  });

  it('stay while the file cannot be read, and are read once it can', async () => {
    await writeFile(file, line('a'));
    const keys = await CredentialKeys.open(file);
    await writeFile(file, `${line('a')}b:c2hvcnQ=\n`);
    for (const _ of [1, 2]) await expect(keys.readAgain()).rejects.toThrow('line 2 has 5 bytes, expected 32');
    expect(keys.ids).toEqual(['a']);
    await rm(file);
    await expect(keys.readAgain()).rejects.toThrow('ENOENT');
    await writeFile(file, line('c'));
    expect(await keys.readAgain()).toBe(true);
    expect(keys.ids).toEqual(['c']);
  });
});
