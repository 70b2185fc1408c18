import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { hasAdmin, useModeratedNode } from './moderated-node.fixture.js';

describe.runIf(hasAdmin)('what an operator decides', () => {
  const { registry, node, owner, admin, shown, bulk } = useModeratedNode();

  it('a banned node is 403 everywhere, its open uploads too, and an unban restores it', async () => {
    const { acme } = owner;
    const { signedUrl } = await acme.published(node, '2.0.0');
    const { downloadUrl } = await bulk();
    await admin(`nodes/${node}/ban`);
    for (const path of [`/nodes/${node}`, `/nodes/${node}/versions`, `/nodes/${node}/versions/1.0.0`]) {
      expect(await shown(path), path).toBe('403 node_banned');
    }
    expect(await shown(`/nodes/${node}/install`)).toBe('403 node_banned');
    expect(await shown(`/index/${node}`)).toBe('403 node_banned');
    expect(refusalOf(await registry.anyone.follow('GET', downloadUrl))).toBe('403 node_banned');
    expect(refusalOf(await acme.upload(signedUrl, await nodePackage()))).toBe('403 node_banned');
    expect(refusalOf(await acme.publish(node, '3.0.0'))).toBe('403 node_banned');
    expect(await bulk()).toMatchObject({ status: 'NodeVersionStatusBanned', downloadUrl: '' });
    expect(await registry.anyone.json(`/publishers/${acme.id}/nodes`)).toMatchObject({ total: 0 });

    await admin(`nodes/${node}/unban`);
    expect(await bulk()).toMatchObject({ status: 'NodeVersionStatusActive', downloadUrl });
    expect(refusalOf(await acme.upload(signedUrl, await nodePackage()))).toBe('200');
  });

  it('a banned publisher takes all that it has along, and is itself still shown', async () => {
    const { acme } = owner;
    await admin(`publishers/${acme.id}/ban`);
    expect(await shown(`/nodes/${node}`)).toBe('403 publisher_banned');
    expect(refusalOf(await acme.publish(node, '3.0.0', { node_version: { version: '1.x' } }))).toBe(
      '403 publisher_banned',
    );
    expect(await registry.anyone.json(`/publishers/${acme.id}`)).toMatchObject({ status: 'PublisherStatusBanned' });
    const own = `/publishers/${acme.id}`;
    for (const [method, path, body] of [
      ['PUT', own, { description: 'd' }],
      ['POST', `${own}/tokens`, { name: 'x' }],
      ['POST', `${own}/members`, { account: 'nobody-there', role: 'member' }],
      ['DELETE', `${own}/members/nothing`],
      ['POST', `${own}/nodes`, { id: newId('n') }],
      ['PUT', acme.path(node), { description: 'd' }],
      ['DELETE', acme.path(node)],
      ['PUT', acme.path(node, '/versions/1.0.0'), {}],
      ['DELETE', acme.path(node, '/versions/1.0.0')],
      ['POST', acme.path(node, '/versions/1.0.0/request-review'), {}],
      ['POST', acme.path(node, '/claim-my-node'), {}],
      ['POST', `/nodes/${node}/reviews?star=1`],
      ['POST', `/nodes/${node}/reports`, { reason: 'spam' }],
    ] as const) {
      const answer = refusalOf(await registry.account.send(method, path, body));
      expect(answer, `${method} ${path}`).toBe('403 publisher_banned');
    }
    await admin(`publishers/${acme.id}/unban`);
    expect(await shown(`/nodes/${node}`)).toBe('200');
  });
});
