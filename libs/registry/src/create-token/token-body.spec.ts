import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { TokenBody } from './token-body.dto.js';

const problemsOf = (fields: object): readonly string[] =>
  validateSync(new TokenBody({ name: 'ci', ...fields })).map(({ property }) => property);
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `pack-${at}`);

describe('the body of a new token', () => {
  it('needs a name alone; the rest has its defaults', () => {
    expect(problemsOf({})).toEqual([]);
    expect(new TokenBody({ name: 'ci', nodes: null, expires_in: null }).toToken()).toEqual({
      ...{ name: 'ci', description: '', expiresInS: 7_776_000 },
      ...{ nodes: null, actions: ['publish', 'deprecate'] },
    });
  });

  it.each([
    ['name', 'n'.repeat(200), 'n'.repeat(201)],
    ['name', '😀'.repeat(200), '😀'.repeat(201)],
    ['description', 'd'.repeat(1_000), 'd'.repeat(1_001)],
    ['expires_in', 60, 59],
    ['expires_in', 31_622_400, 31_622_401],
    ['nodes', ids(100), ids(101)],
    ['actions', ['delete'], ['remove']],
  ])('takes %s at its limit and refuses it beyond', (field, taken, refused) => {
    expect(problemsOf({ [field]: taken })).toEqual([]);
    expect(problemsOf({ [field]: refused })).toEqual([field]);
  });

  it.each([
    { name: '' },
    { expires_in: '3600' },
    { expires_in: '' },
    { expires_in: 60.5 },
    { nodes: [] },
    { nodes: ['_x'] },
    { nodes: 'pack' },
    { actions: [] },
    { actions: [['publish']] },
  ])('refuses %j', (fields) => {
    expect(problemsOf(fields)).toEqual(Object.keys(fields));
  });

  it('names nodes without regard to case, and an action once', () => {
    const body = new TokenBody({ name: 'ci', nodes: ['Pack-A'], actions: ['delete', 'delete'] });
    expect(body.toToken()).toMatchObject({ nodes: ['pack-a'], actions: ['delete'] });
  });
});
