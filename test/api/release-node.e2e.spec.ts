import { expectStatus, jsonOf } from '@heddle/testing-api';
import { newId, nodePackage, refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { hasAdmin, useModeratedNode } from './moderated-node.fixture.js';

describe.runIf(hasAdmin)('what an operator decides', () => {
  const { registry, owner, admin } = useModeratedNode();

  it('releases a node, which another publisher may then claim by a file in its repository', async () => {
    const { acme } = owner;
    const [free, other] = [newId('free'), await registry.publisher()];
    const repository = `https://github.com/${free}/nodes`;
    await acme.released(free, '1.0.0', await nodePackage(), { node: { repository } });
    await admin(`nodes/${free}/release`, {});
    expect(await registry.anyone.json(`/nodes/${free}`)).toMatchObject({ publisher: { id: 'unclaimed' } });
    expect(refusalOf(await acme.publish(free, '1.1.0'))).toBe('403 forbidden');
    const claimed = await registry.account.send('POST', other.path(free, '/claim-my-node'));
    expect(jsonOf(expectStatus(claimed, 200))).toEqual({
      ...{ challenge: expect.stringMatching(/^heddle-claim-/), path: '.heddle-claim' },
    });
  });
});
