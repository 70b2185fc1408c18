import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobKey } from '@heddle/platform-blob-store';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import { InspectionLoop } from './inspection-loop.js';
import { WaitingVersions } from './waiting-versions.js';

const GONE = '00000000-0000-4000-8000-0000000000aa' as BlobKey;

describe('the inspection of versions', () => {
  let registry: ManagedRegistry;
  let token: string;
  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const statusOf = async (version: string): Promise<string> =>
    (await registry.call('GET', `/nodes/pack-a/versions/${version}`, token)).body.status;

  it('ends the wait of a version with its scan and its classes', async () => {
    await registry.active('acme', 'pack-a', '1.0.0', token);
    const { body } = await registry.call('GET', '/nodes/pack-a/versions/1.0.0');
    expect(body).toMatchObject({ status: 'NodeVersionStatusActive', wf_node_extract_status: 'success' });
    expect(await registry.app.get(WaitingVersions).next([])).toBeNull();
  });

  it('leaves a version whose bytes are gone waiting, and goes on with the others', async () => {
    const { owner } = registry.database;
    await registry.admin.rescan({ nodeId: 'pack-a', version: '1.0.0' });
    await registry.until(async () => (await registry.app.get(WaitingVersions).next([])) === null);
    await owner.query('update registry.version set waits = true, blob = $1', [GONE]);
    const waiting = (await registry.app.get(WaitingVersions).next([]))!;
    expect([waiting.version, waiting.blob]).toEqual(['1.0.0', GONE]);
    registry.app.get(InspectionLoop).look();
    await registry.active('acme', 'pack-a', '2.0.0', token);
    expect(await statusOf('1.0.0')).toBe('NodeVersionStatusActive');
    expect((await registry.app.get(WaitingVersions).next([]))?.version).toBe('1.0.0');
    expect(await registry.app.get(WaitingVersions).next([waiting.version_id])).toBeNull();
  });
});
