import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';

const ANN = 'key-ann';

describe('a version', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme', ANN);
  });
  afterAll(() => registry.close());

  it('is signed once, with its bytes; where the key is unknown by now, again', async () => {
    const stored = `select signature from registry.version where node_key = 'pack-v' and version = '7.0.0'`;
    const shown = async () => (await registry.call('GET', '/nodes/pack-v/versions/7.0.0')).body.signature;
    const { owner } = registry.database;
    await registry.active('acme', 'pack-v', '7.0.0', token);
    const { signature } = (await owner.query<{ signature: { keyid: string; sig: string } }>(stored)).rows[0]!;
    const change = async (field: string, value: string) => {
      const text = `update registry.version set signature = (signature::jsonb || $1)::json where version = '7.0.0'`;
      await owner.query(text, [{ [field]: value }]);
      // An answer is kept for a second.
      await registry.call('POST', '/nodes/pack-v/reviews?star=3', ANN);
    };
    expect(await shown()).toEqual(signature);
    await change('sig', 'kept');
    expect(await shown()).toEqual({ keyid: signature.keyid, sig: 'kept' });
    await change('keyid', 'gone');
    expect(await shown()).toEqual(signature);
  });
});
