import { describe, expect, it } from 'vitest';
import { parseListQuery } from './list-query.js';

const parse = (query: string) => parseListQuery(new URLSearchParams(query));
const code = (query: string): string => {
  const answer = parse(query);
  return answer.ok ? 'ok' : answer.rejection.code;
};

describe('the query of the list (decisions, List)', () => {
  it('is 50 of all statuses unless told', () => {
    expect(parse('')).toEqual({
      ok: true,
      value: { statuses: [], limit: 50, cursor: null, idempotencyKey: null, metadata: {} },
    });
  });

  it('reads statuses, limit, cursor, key and up to three labels, and ignores the rest', () => {
    const query =
      'status=queued,running,queued&limit=7&cursor=abc&idempotency_key=k%2B1&metadata[a]=1&metadata[b.c]=&x=y';
    expect(parse(query)).toEqual({
      ok: true,
      value: {
        statuses: ['queued', 'running'],
        limit: 7,
        cursor: 'abc',
        idempotencyKey: 'k+1',
        metadata: { a: '1', 'b.c': '' },
      },
    });
  });

  it('takes the last of two cursors: a client may add the next one to the address it used', () => {
    expect(parse('cursor=a&cursor=b')).toMatchObject({ value: { cursor: 'b' } });
  });

  it.each(['limit=0', 'limit=101', 'limit=', 'limit=1e1', 'limit= 1', 'limit=1&limit=2'])('refuses %s', (query) =>
    expect(code(query)).toBe('invalid_request'),
  );

  it.each(['status=', 'status=queued,', 'status=QUEUED', 'status=constructor', 'status=queued&status=running'])(
    'refuses %s',
    (query) => expect(code(query)).toBe('invalid_request'),
  );

  it.each(['', 'a b', 'é', 'k'.repeat(256)])('refuses the key %j', (key) =>
    expect(code(`idempotency_key=${encodeURIComponent(key)}`)).toBe('invalid_request'),
  );

  it.each([
    'metadata=x',
    'metadata[]=x',
    'metadata[a=x',
    'metadata[a][b]=x',
    'metadata[a]=1&metadata[a]=2',
    'metadata[a]=1&metadata[b]=1&metadata[c]=1&metadata[d]=1',
    'metadata[a]=%07',
    'metadata[a]=%E2%80%AE',
    `metadata[${'k'.repeat(65)}]=x`,
    `metadata[a]=${'v'.repeat(513)}`,
  ])('refuses the label filter %s', (query) => expect(code(query)).toBe('invalid_metadata_filter'));

  it('keeps a label named like a part of every object', () => {
    expect(parse('metadata[constructor]=x')).toMatchObject({ value: { metadata: { constructor: 'x' } } });
  });
});
