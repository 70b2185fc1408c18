import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyFile, readKeyFile } from './key-file.js';

const SECRET = Buffer.alloc(32, 7).toString('base64');

const LENGTH = { min: 16, max: 1024 };

describe('a file of keys', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-keys-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  const written = async (text: string): Promise<string> => {
    const file = join(folder, `given-${Math.random()}`);
    await writeFile(file, text);
    return file;
  };

  it('is made once, readable by its owner alone, however many start', async () => {
    const file = join(folder, 'data', 'keys');
    const opened = await Promise.all(Array.from({ length: 8 }, () => openKeyFile(file, LENGTH)));
    const shown = opened.map((keys) => keys.map(({ id, secret }) => [id, secret.export().toString('hex')]));
    for (const keys of shown) expect(keys).toEqual(shown[0]);
    expect(opened[0]).toHaveLength(1);
    expect(opened[0]![0]!.secret.symmetricKeySize).toBe(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'data'))).toEqual(['keys']);
  });

  it('is read in the order of its lines, and never changed', async () => {
    const text = `a:${SECRET}\n\nb.2-x:${SECRET}\r\n`;
    const file = await written(text);
    expect((await openKeyFile(file, LENGTH)).map(({ id }) => id)).toEqual(['a', 'b.2-x']);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it.each([
    ['', /has no line/],
    ['abc', /line 1 is not id:base64/],
    [`a:${SECRET}\nb ${SECRET}`, /line 2 is not id:base64/],
    [`a:${SECRET}\na:${SECRET}`, /line 2 has the id of an earlier line, a/],
    ['a:c2hvcnQ=', /line 1 has 5 bytes, expected 16 or more/],
    ['a:c2hv-nQ=', /line 1 is not id:base64/],
    [`${'a'.repeat(65)}:${SECRET}`, /line 1 is not/],
  ])('is refused where it says %j, without the secret in the message', async (text, message) => {
    const refused = readKeyFile(await written(text), LENGTH);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(SECRET);
  });

  it('has keys of one length where one is asked for', async () => {
    const file = await written(`a:${SECRET}\nb:${Buffer.alloc(33).toString('base64')}\n`);
    await expect(readKeyFile(file, { min: 32, max: 32 })).rejects.toThrow(/line 2 has 33 bytes, expected 32$/);
  });

  it('must be there where it is not to be made', async () => {
    await expect(readKeyFile(join(folder, 'missing'), LENGTH)).rejects.toThrow('ENOENT');
  });
});
