import { createPublicKey, verify } from 'node:crypto';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { expectStatus, textOf } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, node, anyone } = usePublishedNode();

  it('GET /index/{n} has a line a visible version, whose signature a key of GET /keys verifies', async () => {
    const answer = expectStatus(await registry.anyone.get(`/index/${node}`), 200);
    expect(answer.headers['content-type']).toMatch(/^application\/x-ndjson/);
    const lines = textOf(answer).trim().split('\n');
    const versions = lines.map((line) => JSON.parse(line) as NodeVersionWire);
    expect(versions.map(({ version }) => version)).toEqual(['1.9.0', '1.10.0', '2.0.0-beta.1']);
    const { keys } = await anyone<{ keys: { keyid: string; public_key: string }[] }>('/keys');
    for (const { version, sha256, signature } of versions) {
      const { keyid, sig } = signature as { keyid: string; sig: string };
      const key = createPublicKey(keys.find((one) => one.keyid === keyid)!.public_key);
      expect(verify(null, Buffer.from(`${node}@${version}:${sha256}`), key, Buffer.from(sig, 'base64'))).toBe(true);
    }
    expect(refusalOf(await registry.anyone.get('/index/nothing'))).toBe('404 not_found');
  });
});
