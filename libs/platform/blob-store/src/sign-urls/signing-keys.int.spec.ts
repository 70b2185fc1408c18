import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSigningKeys, readSigningKeys } from './signing-keys.js';

const SECRET = Buffer.alloc(32, 7).toString('base64');

describe('a file of keys for signed URLs', () => {
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
    const opened = await Promise.all(Array.from({ length: 8 }, () => openSigningKeys(file)));
    for (const keys of opened) expect(keys).toEqual(opened[0]);
    expect(opened[0]).toHaveLength(1);
    expect(opened[0]![0]!.secret).toHaveLength(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'data'))).toEqual(['keys']);
  });

  it('is read in the order of its lines, and never changed', async () => {
    const text = `a:${SECRET}\n\nb.2-x:${SECRET}\r\n`;
    const file = await written(text);
    expect((await openSigningKeys(file)).map(({ id }) => id)).toEqual(['a', 'b.2-x']);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it.each([
    ['', /has no line/],
    ['abc', /line 1 is not id:base64/],
    [`a:${SECRET}\nb ${SECRET}`, /line 2 is not id:base64/],
    [`a:${SECRET}\na:${SECRET}`, /line 2 has the id of an earlier line, a/],
    ['a:c2hvcnQ=', /line 1 has 5 bytes, expected 16 or more/],
    [`${'a'.repeat(65)}:${SECRET}`, /line 1 is not/],
  ])('is refused where it says %j, without the secret in the message', async (text, message) => {
    const refused = readSigningKeys(await written(text));
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(SECRET);
  });

  it('must be there where it is not to be made', async () => {
    await expect(readSigningKeys(join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});
