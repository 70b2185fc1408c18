import { describe, expect, it } from 'vitest';
import { ClassPagePipe } from './class-page.pipe.js';

const asked = (query: Readonly<Record<string, string>>) => new ClassPagePipe().transform(query);

describe('a page of node classes', () => {
  it('is the first one of 100 classes of all nodes, unless more is asked', () => {
    expect(asked({})).toEqual({ filter: { nodeId: null, version: null, name: null }, page: 1, size: 100 });
  });

  it.each([
    [{ limit: '3' }, 3],
    [{ pageSize: '2' }, 2],
    [{ limit: '3', pageSize: '2' }, 2],
  ])('of %j has the size %i', (query, size) => {
    expect(asked(query).size).toBe(size);
  });

  it('has the filter of the query', () => {
    const { filter } = asked({ node_id: 'pack-a', node_version: 'v1.0', wf_node_name: 'Load' });
    expect(filter).toEqual({ nodeId: 'pack-a', version: '1.0.0', name: 'Load' });
  });
});
