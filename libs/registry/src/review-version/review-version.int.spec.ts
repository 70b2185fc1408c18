import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ManagedRegistry, valueOf } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const NODE = { nodeId: 'pack-a' };
const VERSION = { nodeId: 'pack-a', version: '1.0.0' };

describe('a review', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    ({ registry, token } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  const shown = async (path: string, bearer = '') => {
    const { status, body } = await registry.call('GET', path, bearer);
    return body.error === undefined ? [status, body.status] : [status, body.error];
  };

  it('reviews a version, and the bytes follow its status', async () => {
    const review = (status: string, reason = '') => registry.admin.review(VERSION, status, reason);
    expect(valueOf(await review('flagged', 'looks odd'))).toMatchObject({ version: '1.0.0', status: 'flagged' });
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

    valueOf(await review('banned', 'bad'));
    expect(await shown('/nodes/pack-a/versions/1.0.0', ANN)).toEqual([403, 'node_banned']);
    const banned = '/nodes/pack-a/versions/1.0.0';
    expect((await registry.call('GET', banned, BOB)).body.message).toBe('The version pack-a@1.0.0 is banned.');
    expect((await registry.call('GET', banned, token)).body.message).toMatch(/ is banned\. The reason is "bad"\.$/);
    expect(codeOf(await review('flagged'))).toBe('already_set');
    expect(valueOf(await review('active'))).toMatchObject({ status: 'active', reason: '' });
    expect(valueOf(await registry.admin.queue({ after: null, limit: 10 }))).toEqual([]);
    valueOf(await review('deleted'));
    expect(await shown('/nodes/pack-a/versions/1.0.0')).toEqual([404, 'not_found']);
    valueOf(await review('active'));
    expect(await shown('/nodes/pack-a/versions/1.0.0')).toEqual([200, 'NodeVersionStatusActive']);
    expect(codeOf(await review('pending'))).toBe('invalid_request');
    await registry.publish('acme', 'pack-a', '7.0.0', token);
    expect(codeOf(await registry.admin.review({ ...NODE, version: '7.0.0' }, 'active', ''))).toBe('already_set');
    expect(codeOf(await registry.admin.review({ ...NODE, version: 'x' }, 'active', ''))).toBe('not_found');
    expect(codeOf(await registry.admin.ban({ nodeId: 'nothing' }, ''))).toBe('not_found');
  });
});
