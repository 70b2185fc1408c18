import { jsonOf } from '@heddle/testing-api';
import { newId, nodePackage } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishers } from './registry-publishers.fixture.js';

const FLAGGED = { 'run.py': 'import base64\nexec(base64.b64decode("cHJpbnQoMSk="))\n' };

describe('managing what is published', () => {
  const { registry, publishers, withToken } = usePublishers();

  it('asks for a review of a flagged version alone', async () => {
    const { acme, other } = publishers;
    const node = newId('review');
    await acme.released(node, '1.0.0', await nodePackage([], FLAGGED));
    await acme.released(node, '1.1.0');
    const review = (version: string) => acme.path(node, `/versions/${version}/request-review`);
    const asked = await registry.anyone.as(acme.token).send('POST', review('1.0.0'), { message: 'an example' });
    expect([asked.status, jsonOf(asked)]).toEqual([202, {}]);
    expect(await withToken('POST', review('1.1.0'), {})).toBe('409 already_set');
    expect(await withToken('POST', review('1.0.0'), {}, other.token)).toBe('401 invalid_token');
    // A flagged version is installed by its exact number.
    const installed = await registry.anyone.json(`/nodes/${node}/install?version=1.0.0`);
    expect(installed).toMatchObject({ status: 'NodeVersionStatusFlagged' });
  });
});
