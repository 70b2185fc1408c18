import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const VERSION = '/publishers/acme/nodes/pack-a/versions/1.0.0';

describe('a version', () => {
  let registry: ManagedRegistry;
  let token: string;
  let foreign: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme', ANN);
    foreign = await registry.publisher('other', BOB);
    await registry.active('acme', 'pack-a', '1.0.0', token);
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };
  const put = (bearer: string, body: unknown, path = VERSION): Promise<Answered> =>
    registry.call('PUT', path, bearer, body);
  const narrowed = async (to: object): Promise<string> =>
    (await registry.call('POST', '/publishers/acme/tokens', ANN, { name: 'n', ...to })).body.token as string;

  it('is changed in the fields that are given', async () => {
    const changed = await expected(put(token, { deprecated: true, deprecated_reason: 'old', status: 'x' }), 200);
    expect(changed).toMatchObject({ deprecated: true, deprecated_reason: 'old', status: 'NodeVersionStatusActive' });
    const noted = { deprecated: true, deprecated_reason: 'old', changelog: 'fixed' };
    expect(await expected(put(token, { changelog: 'fixed' }), 200)).toMatchObject(noted);
    const again = { deprecated: false, deprecated_reason: '', changelog: 'c' };
    expect(await expected(put(ANN, { changelog: 'c', deprecated: false }), 200)).toMatchObject(again);
    await expected(put(ANN, { deprecated: 'yes' }), 400, 'invalid_request');
  });

  it('is found however its node and its number are written', async () => {
    await expected(put(token, {}, '/publishers/acme/nodes/PACK-A/versions/v1.0'), 200);
    await expected(put(ANN, {}, `${VERSION}-rc.1`), 404, 'not_found');
    await expected(put(ANN, {}, '/publishers/acme/nodes/pack-a/versions/9.9.9'), 404, 'not_found');
  });

  it('is changed by members of its publisher, and by its tokens with the action, for the node', async () => {
    await expected(put(await narrowed({ actions: ['publish'] }), {}), 403, 'forbidden');
    await expected(put(await narrowed({ nodes: ['pack-b'] }), {}), 403, 'forbidden');
    await expected(put(foreign, {}), 401, 'invalid_token');
    await expected(put(BOB, {}), 403, 'forbidden');
    await expected(put('', {}), 401, 'unauthorized');
  });
});
