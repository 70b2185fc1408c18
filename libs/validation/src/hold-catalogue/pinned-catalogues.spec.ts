import { describe, expect, it } from 'vitest';
import { CatalogueHolder } from './catalogue-holder.js';
import { HeavyEntries } from './heavy-entries.js';
import { PinnedCatalogues } from './pinned-catalogues.js';
import type { CatalogueSources } from './pinned-catalogues.js';

const hash = (digit: string): string => `blake3:${digit.repeat(64)}`;
const documentOf = (...names: string[]): Uint8Array =>
  Buffer.from(JSON.stringify(Object.fromEntries(names.map((name) => [name, { output: ['IMAGE'], input: {} }]))));

describe('the catalogues of pinned environments', () => {
  it('are asked for once, whoever needs them at once', async () => {
    const asked: string[] = [];
    const stored = { document: (key: string) => (asked.push(key), Promise.resolve(documentOf('A'))) };
    const catalogues = opened({ stored });
    const pinned = { engine: 'builtin', catalogueHash: hash('1'), packages: [] };
    const all = await Promise.all(Array.from({ length: 50 }, () => catalogues.of(pinned)));
    expect(new Set(all).size).toBe(1);
    await catalogues.of({ engine: 'http://other', catalogueHash: hash('1'), packages: [] });
    expect(asked).toEqual([hash('1')]);
  });

  it('are asked for again after a failure, and after an answer without classes', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve(null), Promise.resolve(Buffer.from('{}'))];
    const stored = { document: () => answers.shift() ?? Promise.resolve(documentOf('A')) };
    const catalogues = opened({ stored });
    const pinned = { engine: 'builtin', catalogueHash: hash('1'), packages: [] };
    await expect(catalogues.of(pinned)).rejects.toThrow('away');
    expect([await catalogues.of(pinned), await catalogues.of(pinned)]).toEqual([null, null]);
    expect((await catalogues.of(pinned))?.classes.has('A')).toBe(true);
  });

  it('of another engine are read again after a while, and stay in use while it is away', async () => {
    const answers = [documentOf('A'), null, documentOf('B')];
    const describeEngine = (): Promise<Uint8Array> => {
      const answer = answers.shift();
      return answer == null ? Promise.reject(new Error('away')) : Promise.resolve(answer);
    };
    let now = 0;
    const catalogues = opened({ describe: describeEngine }, () => now);
    const look = async (): Promise<string[]> => {
      const found = await catalogues.of({ engine: 'http://other', catalogueHash: null, packages: [] });
      await new Promise(setImmediate);
      return [...found!.classes.keys()];
    };
    expect([await look(), await look()]).toEqual([['A'], ['A']]);
    expect(answers).toHaveLength(2);
    now = 60_000;
    expect([await look(), await look(), await look()]).toEqual([['A'], ['A'], ['B']]);
  });
});

function opened(sources: Partial<CatalogueSources>, now = () => 0): PinnedCatalogues {
  const none = {
    ownEngine: 'builtin',
    stored: null,
    describe: () => Promise.reject(new Error('not asked')),
    registry: null,
    log: () => undefined,
  };
  return new PinnedCatalogues(new CatalogueHolder(), { ...none, ...sources }, now);
}

describe('entries of different weight', () => {
  it('leave in the order of their last use, and never outweigh their bound together', () => {
    const entries = new HeavyEntries<string>(10);
    for (const name of ['a', 'b', 'c']) entries.set(name, name, 3);
    entries.get('a');
    entries.set('d', 'd', 4);
    expect(['a', 'b', 'c', 'd'].map((name) => entries.get(name))).toEqual(['a', undefined, 'c', 'd']);
    expect(entries.weight).toBe(10);
    entries.set('a', 'again', 1);
    expect([entries.get('a'), entries.weight]).toEqual(['again', 8]);
    entries.set('large', 'large', 50);
    expect([entries.get('large'), entries.get('d'), entries.weight]).toEqual(['large', undefined, 50]);
    entries.set('e', 'e', 1);
    expect([entries.get('large'), entries.get('e')]).toEqual([undefined, 'e']);
  });
});
