import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'acme');
  await makeNode(registry, 'acme', 'Pack-A');
  await makeVersion(registry, 'Pack-A', '1.0.0');
});
afterAll(() => registry.close());

it('the keys verify the signature of a version, over its name and its digest and nothing else', async () => {
  const { keys } = (await get(registry, '/keys')).body as { keys: { keyid: string; public_key: string }[] };
  expect(keys).toEqual([expect.objectContaining({ keyid: 'key-1', until: '' })]);
  const { body } = await get(registry, '/nodes/pack-a/versions/1.0.0');
  const { sha256, signature } = body as { sha256: string; signature: { keyid: string; sig: string } };
  const isSigned = (text: string): boolean =>
    verify(null, Buffer.from(text), createPublicKey(keys[0]!.public_key), Buffer.from(signature.sig, 'base64'));
  expect(signature.keyid).toBe('key-1');
  expect(isSigned(`Pack-A@1.0.0:${sha256}`)).toBe(true);
  expect(isSigned(`pack-a@1.0.0:${sha256}`)).toBe(false);
  expect(isSigned(`Pack-A@1.0.1:${sha256}`)).toBe(false);
});
