import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClassList } from './class-parts.js';

const source = (node_id: string, classes: number) => ({ node_id, version_id: `v-${node_id}`, classes });

describe('the list of the classes of many versions', () => {
  it('has the parts of a page, in the order of the ids', () => {
    const list = new ClassList([source('b', 3), source('a', 2), source('c', 1)]);
    expect(list.total).toBe(6);
    expect(list.parts(1, 3)).toEqual([
      { versionId: 'v-a', first: 1, last: 1 },
      { versionId: 'v-b', first: 0, last: 1 },
    ]);
    expect(list.parts(4, 100)).toEqual([
      { versionId: 'v-b', first: 2, last: 2 },
      { versionId: 'v-c', first: 0, last: 0 },
    ]);
    expect(list.parts(6, 1)).toEqual([]);
    expect(new ClassList([]).parts(0, 1)).toEqual([]);
  });

  it('has each class on one page, whatever the sizes are', () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 1, max: 7 }), (sizes, size) => {
        const sources = sizes.map((classes, at) => source(String(at).padStart(3, '0'), classes));
        const list = new ClassList(sources);
        const all = sources.flatMap(({ version_id, classes }) =>
          Array.from({ length: classes }, (_, at) => `${version_id} ${at}`),
        );
        const found: string[] = [];
        for (let offset = 0; offset < all.length; offset += size) {
          for (const { versionId, first, last } of list.parts(offset, size)) {
            for (let at = first; at <= last; at++) found.push(`${versionId} ${at}`);
          }
        }
        expect(found, `seed ${seed}`).toEqual(all);
      }),
      { seed },
    );
  });
});
