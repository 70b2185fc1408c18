import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

describe('a request with an Idempotency-Key', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
  });
  afterAll(() => registry.close());

  it.each(['x'.repeat(256), 'a b', 'é', ''])('of another form is refused on every route: %j', async (key) => {
    for (const [method, path] of [
      ['GET', '/nodes'],
      ['POST', '/publishers'],
      ['PUT', '/uploads/1'],
    ] as const)
      expect(await get(registry, path, { method, headers: { 'idempotency-key': key } }), path).toMatchObject({
        status: 400,
        body: {
          error: 'invalid_request',
          message: 'The header Idempotency-Key must have 1 to 255 visible ASCII characters.',
        },
      });
  });

  it('of the right form is served', async () => {
    expect((await get(registry, '/nodes', { headers: { 'idempotency-key': 'x'.repeat(255) } })).status).toBe(200);
  });
});
