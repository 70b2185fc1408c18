import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ManagedRegistry, valueOf } from '../managed-registry.fixture.js';

const ANN = 'key-ann';
const VERSION = { nodeId: 'pack-a', version: '1.0.0' };

describe('a rescan', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    ({ registry, token } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  const versionNow = async () => (await registry.call('GET', '/nodes/pack-a/versions/1.0.0', ANN)).body;

  it('has a version scanned again, which a flag does not outlive', async () => {
    valueOf(await registry.admin.review(VERSION, 'flagged', 'by hand'));
    expect(valueOf(await registry.admin.rescan(VERSION))).toMatchObject({ status: 'flagged' });
    await registry.until(async () => (await versionNow()).status === 'NodeVersionStatusActive');
    const { rows } = await registry.database.owner.query(
      `select waits, is_rescan from registry.version where node_key = 'pack-a' and version = '1.0.0'`,
    );
    expect(rows).toEqual([{ waits: false, is_rescan: false }]);
  });

  it('of a version without bytes is refused', async () => {
    await registry.publish('acme', 'pack-a', '7.0.0', token);
    expect(codeOf(await registry.admin.rescan({ nodeId: 'pack-a', version: '7.0.0' }))).toBe('already_set');
  });
});
