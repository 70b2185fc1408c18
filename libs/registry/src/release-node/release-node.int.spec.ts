import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry, valueOf } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a release of a node', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    ({ registry, token } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  it('releases a node, which another publisher may then claim from its repository alone', async () => {
    await registry.publisher('heirs', BOB);
    const claim = (bearer = BOB, node = 'pack-a') =>
      registry.call('POST', `/publishers/heirs/nodes/${node}/claim-my-node`, bearer);
    expect((await claim()).body.error).toBe('already_set');
    expect(valueOf(await registry.admin.release('pack-a'))).toMatchObject({ publisher: 'unclaimed', status: 'active' });
    expect((await registry.publish('acme', 'pack-a', '8.0.0', token)).body.error).toBe('forbidden');
    expect((await claim(ANN)).body.error).toBe('forbidden');
    expect((await claim('')).body.error).toBe('unauthorized');
    const first = await claim();
    expect(first).toMatchObject({
      status: 200,
      body: { path: '.heddle-claim', challenge: expect.stringMatching(/^heddle-claim-[0-9a-f]{32}$/) },
    });
    // The host has no address: nothing could be read.
    const second = await claim();
    expect([second.status, second.body.error]).toEqual([503, 'vendor_unavailable']);
    await registry.active('acme', 'pack-x', '1.0.0', token, { repository: 'https://elsewhere.example/acme/x' });
    valueOf(await registry.admin.release('pack-x'));
    expect((await claim(BOB, 'pack-x')).body.error).toBe('invalid_request');
    expect((await claim(BOB, 'nothing')).body.error).toBe('not_found');
  });
});
