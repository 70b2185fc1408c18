import type { UnknownFile } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { nearestAssets } from './nearest-assets.js';

const unknown = (name: string): UnknownFile => ({
  name,
  nodeId: '1',
  field: 'image',
  reason: 'value_not_in_list',
  isCause: true,
  sentence: `No asset or input file is named ${name}.`,
  hint: null,
});
const account = () => Promise.resolve(['photos/lake.jpg', 'photos/sea.jpg']);

describe('the assets that a misspelt name may mean', () => {
  it('are the nearest of the account', async () => {
    const found = await nearestAssets(account, [unknown('photos/lake.jgp'), unknown('nothing like it')]);
    expect([...found]).toEqual([['photos/lake.jgp', 'photos/lake.jpg']]);
  });

  it('are looked up for a few names, each once, and for none that is not explained', async () => {
    const asked: string[] = [];
    const look = (name: string): Promise<string[]> => Promise.resolve((asked.push(name), []));
    const many = Array.from({ length: 50 }, (_, at) => unknown(`a${at % 10}`));
    await nearestAssets(look, [{ ...unknown('b'), sentence: null }, ...many]);
    expect(asked).toEqual(['a0', 'a1', 'a2', 'a3']);
  });

  it('are left out when the look-up fails or never answers', async () => {
    const failing = () => Promise.reject(new Error('away'));
    expect((await nearestAssets(failing, [unknown('photos/lake.jgp')])).size).toBe(0);
    const silent = () => new Promise<never>(() => undefined);
    expect((await nearestAssets(silent, [unknown('photos/lake.jgp')])).size).toBe(0);
  });
});
