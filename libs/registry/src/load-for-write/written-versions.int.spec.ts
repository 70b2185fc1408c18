import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const VERSION = '/publishers/acme/nodes/pack-a/versions/1.0.0';

describe('a version', () => {
  let registry: ManagedRegistry;
  let token: string;
  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme', ANN, { actions: ['publish', 'deprecate', 'delete'] });
    await registry.active('acme', 'pack-a', '1.0.0', token);
  });
  afterAll(() => registry.close());

  const WRITES = [
    ['PUT', VERSION, { deprecated: true }],
    ['DELETE', VERSION, undefined],
    ['POST', `${VERSION}/request-review`, { message: 'm' }],
  ] as const;
  const answers = async (bearer: string) =>
    await Promise.all(WRITES.map(async ([method, path, body]) => await registry.call(method, path, bearer, body)));

  it('is not changed by strangers', async () => {
    for (const { status, body } of await answers(BOB)) expect([status, body.error]).toEqual([403, 'forbidden']);
    for (const { status, body } of await answers('')) expect([status, body.error]).toEqual([401, 'unauthorized']);
  });

  it.each([
    ['its node', { nodeId: 'pack-a' }, 'node_banned', 'The node pack-a is banned. The reason is "malware".'],
    [
      'its publisher',
      { publisher: 'acme' },
      'publisher_banned',
      'The publisher acme is banned. The reason is "malware".',
    ],
  ])(
    'is not changed while %s is banned; members get the reason, with an account and with a token',
    async (_, target, code, message) => {
      await registry.admin.ban(target, 'malware');
      for (const bearer of [ANN, token]) {
        for (const { status, body } of await answers(bearer)) {
          expect([status, body]).toEqual([403, { error: code, message }]);
        }
      }
      await registry.admin.unban(target, '');
    },
  );

  it('that is banned is not changed; members get the reason', async () => {
    await registry.admin.review({ nodeId: 'pack-a', version: '1.0.0' }, 'banned', 'malware');
    const [deprecated, deleted, asked] = await answers(token);
    const message = 'The version pack-a@1.0.0 is banned. The reason is "malware".';
    for (const answer of [deprecated, deleted]) {
      expect([answer!.status, answer!.body]).toEqual([403, { error: 'node_banned', message }]);
    }
    expect([asked!.status, asked!.body.error]).toEqual([409, 'already_set']);
    await registry.admin.review({ nodeId: 'pack-a', version: '1.0.0' }, 'active', '');
  });
});
