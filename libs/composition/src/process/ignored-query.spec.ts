import { describe, expect, it } from 'vitest';
import { ignoredQuery } from './ignored-query.js';

describe('the query parameters that a route ignores', () => {
  it.each<[string, string, readonly string[] | null]>([
    ['GET /api/v2/jobs', '/api/v2/jobs', null],
    ['GET /api/v2/jobs', '/api/v2/jobs?limit=1&metadata[a]=b&cursor=x', null],
    ['GET /api/v2/jobs', '/api/v2/jobs?limt=1&limit=1&page=2&page=3', ['limt', 'page']],
    ['GET /api/v2/jobs/:id', '/api/v2/jobs/x?verbose', ['verbose']],
    ['GET /api/v2/jobs/:id', `/api/v2/jobs/x?${'n'.repeat(500)}=1`, ['n'.repeat(64)]],
    ['GET unknown', '/nothing?a=1', null],
  ])('of %s with %s are named', (route, url, ignored) => {
    expect(ignoredQuery(route, url)).toEqual(ignored);
  });

  it('are named up to a bound', () => {
    const query = Array.from({ length: 100 }, (_, at) => `p${at}=1`).join('&');
    expect(ignoredQuery('GET /api/v2/jobs', `/api/v2/jobs?${query}`)).toHaveLength(16);
  });
});
