import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ManagedRegistry, valueOf } from '../managed-registry.fixture.js';

const VERSION = { nodeId: 'pack-a', version: '1.0.0' };

describe('the queue of an operator', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    ({ registry, token } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  it('holds what waits for the operator, oldest first, part by part', async () => {
    valueOf(await registry.admin.review(VERSION, 'flagged', 'looks odd'));
    const path = '/publishers/acme/nodes/pack-a/versions/1.0.0/request-review';
    expect((await registry.call('POST', path, token, { message: 'it is an example' })).status).toBe(202);
    expect((await registry.call('POST', path, token, {})).status).toBe(202);
    expect(valueOf(await registry.admin.queue({ after: null, limit: 10 }))).toMatchObject([
      { kind: 'flagged', nodeId: 'pack-a', version: '1.0.0', text: 'looks odd' },
      { kind: 'review', nodeId: 'pack-a', version: '1.0.0', text: 'it is an example' },
    ]);
    const [first] = valueOf(await registry.admin.queue({ after: null, limit: 1 }));
    expect(valueOf(await registry.admin.queue({ after: first!.cursor, limit: 5 }))).toMatchObject([{ kind: 'review' }]);
    expect(codeOf(await registry.admin.queue({ after: 'x', limit: 5 }))).toBe('invalid_request');
  });
});
