import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

interface Version {
  readonly version: string;
  readonly sha256: string;
  readonly signature: { readonly keyid: string; readonly sig: string };
}

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'pub');
  for (const id of ['Pack', 'bare']) await makeNode(registry, 'pub', id);
  await makeVersion(registry, 'Pack', '1.10.0');
  await makeVersion(registry, 'Pack', '1.9.0', { deprecated: true });
  await makeVersion(registry, 'Pack', '1.11.0', { status: 'pending' });
  await makeVersion(registry, 'Pack', '2.0.0-rc.1');
  await makeVersion(registry, 'Pack', '2.0.0', { status: 'flagged', reason: '["found"]' });
  await makeVersion(registry, 'Pack', '3.0.0', { status: 'banned', reason: 'bad' });
  await makeVersion(registry, 'Pack', '4.0.0', { status: 'deleted' });
});
afterAll(() => registry.close());

describe('the index of a node', () => {
  it('has a line a visible version, oldest first, with a signature that the keys verify', async () => {
    const { body, headers } = await get(registry, '/index/PACK');
    expect(headers.get('content-type')).toContain('application/x-ndjson');
    const lines = (body as string).split('\n').filter((line) => line !== '');
    const versions = lines.map((line) => JSON.parse(line) as Version & { node_id: string });
    expect(versions.map(({ version }) => version)).toEqual(['1.9.0', '1.10.0', '2.0.0-rc.1', '2.0.0']);
    expect(Object.keys(versions[0]!)).toEqual([
      ...['node_id', 'version', 'sha256', 'size_bytes', 'deprecated', 'status', 'signature', 'dependencies'],
      ...['supported_os', 'supported_accelerators', 'supported_engine_version'],
    ]);
    const { keys } = (await get(registry, '/keys')).body as { keys: { keyid: string; public_key: string }[] };
    for (const { node_id, version, sha256, signature } of versions) {
      const key = createPublicKey(keys.find(({ keyid }) => keyid === signature.keyid)!.public_key);
      const text = Buffer.from(`${node_id}@${version}:${sha256}`);
      expect(verify(null, text, key, Buffer.from(signature.sig, 'base64'))).toBe(true);
    }
  });

  it('is empty for a node without visible versions', async () =>
    expect(await get(registry, '/index/bare')).toMatchObject({ status: 200, body: '' }));
});
