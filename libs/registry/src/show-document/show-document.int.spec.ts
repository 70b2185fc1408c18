import { PROXY_ROUTES, REGISTRY_ROUTES } from '@heddle/contracts-registry';
import { pathPattern } from '@heddle/platform-http';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
});
afterAll(() => registry.close());

/** Method and path of every registered route, from Fastify's own listing. */
function registered(): readonly string[] {
  const server = registry.app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const found: string[] = [];
  const path: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?/.exec(line) ?? [];
    if (indent === undefined) continue;
    path.splice(indent.length / 4, Infinity, part!);
    for (const method of methods?.split(', ') ?? []) found.push(`${method} ${path.join('')}`);
  }
  return found;
}

describe('the served routes', () => {
  it('are those of the table without the partner proxy, and each read has its HEAD', () => {
    const server = registry.app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const own = REGISTRY_ROUTES.filter((route) => !PROXY_ROUTES.includes(route));
    const table = own.map(({ method, path }) => `${method} ${pathPattern(path)}`);
    const served = registered().filter((route) => !route.startsWith('HEAD '));
    expect(served.toSorted()).toEqual(table.toSorted());
    for (const { method, path } of own) {
      const url = pathPattern(path);
      if (method === 'GET') expect(server.hasRoute({ method: 'HEAD', url })).toBe(true);
    }
  });

  it('are in the document with those of the partner proxy, and no others', async () => {
    const { status, body } = await get(registry, '/openapi.json');
    expect(status).toBe(200);
    const { paths, servers } = body as { paths: Record<string, Record<string, object>>; servers: unknown };
    expect(servers).toEqual([{ url: registry.url }]);
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${pathPattern(path)}`),
    );
    const served = registered().filter((route) => !route.startsWith('HEAD '));
    const beside = PROXY_ROUTES.map(({ method, path }) => `${method} ${pathPattern(path)}`);
    expect(documented.sort()).toEqual([...served, ...beside].sort());
  });

  it('refuse other methods by naming theirs, and unknown paths', async () => {
    const wrong = await get(registry, '/nodes/pack/versions', { method: 'DELETE' });
    expect(wrong).toMatchObject({ status: 405, body: { error: 'method_not_allowed' } });
    expect(wrong.headers.get('allow')).toContain('GET');
    expect(await get(registry, '/nowhere')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });
});
