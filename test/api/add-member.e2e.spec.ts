import type { PublisherWire } from '@heddle/contracts-registry';
import { expectStatus, jsonOf } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { adminOf } from '../security/keyed-heddle.js';
import { hasAdmin, useModeratedNode } from './moderated-node.fixture.js';
import { surface } from './surface.js';

describe.runIf(hasAdmin)('what an operator decides', () => {
  const { registry, node, owner } = useModeratedNode();

  it.runIf(surface.credential === 'keys')('lets an owner add an account as member, and remove it', async () => {
    const { acme } = owner;
    const { key } = (await adminOf(registry.server.process.dataDir)('POST', 'keys', { account: 'bob' })) as {
      key: string;
    };
    const members = `/publishers/${acme.id}/members`;
    const bob = registry.account.as(key);
    const change = acme.path(node, '/versions/1.0.0');
    expect(refusalOf(await bob.send('PUT', change, { changelog: 'b' }))).toBe('403 forbidden');
    const added = await registry.account.send('POST', members, { account: 'bob', role: 'member' });
    const found = jsonOf<PublisherWire>(expectStatus(added, 201)).members.find(({ role }) => role === 'member');
    expect(refusalOf(await bob.send('PUT', change, { changelog: 'b' }))).toBe('200');
    expect(refusalOf(await bob.send('POST', members, { account: 'bob', role: 'owner' }))).toBe('403 forbidden');
    expect(refusalOf(await registry.account.send('DELETE', `${members}/${found!.id}`))).toBe('204');
    expect(refusalOf(await bob.send('PUT', change, { changelog: 'c' }))).toBe('403 forbidden');
  });
});
