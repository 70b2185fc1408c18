import type { RegistryEventView } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ManagedRegistry, valueOf } from '../managed-registry.fixture.js';

const NODE = { nodeId: 'pack-a' };
const VERSION = { nodeId: 'pack-a', version: '1.0.0' };

describe('the history of a node', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    ({ registry, token } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  it('names each event and who caused it, part by part', async () => {
    valueOf(await registry.admin.ban(NODE, 'malware'));
    valueOf(await registry.admin.unban(NODE, ''));
    valueOf(await registry.admin.review(VERSION, 'flagged', 'looks odd'));
    const path = '/publishers/acme/nodes/pack-a/versions/1.0.0/request-review';
    expect((await registry.call('POST', path, token, {})).status).toBe(202);
    valueOf(await registry.admin.setRanks('pack-a', { searchRanking: 5 }));
    let events: readonly RegistryEventView[] = [];
    await registry.until(async () => {
      events = valueOf(await registry.admin.events('pack-a', { after: null, limit: 1_000 }));
      return events.some(({ type, data }) => type === 'NodeChanged' && data['ranks'] !== null);
    });
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(['NodeCreated', 'VersionPublished', 'VersionUploaded']);
    for (const type of ['NodeBanned', 'NodeUnbanned', 'VersionReviewed', 'ReviewRequested', 'VersionScanned']) {
      expect(types).toContain(type);
    }
    expect(events.find(({ type }) => type === 'NodeBanned')).toMatchObject({
      actor: 'admin',
      data: { reason: 'malware' },
    });
    expect(events[0]!.actor).toMatch(/^token:/);
    const rest = valueOf(await registry.admin.events('pack-a', { after: String(events[1]!.seq), limit: 2 }));
    expect(rest.map(({ seq }) => seq)).toEqual([events[2]!.seq, events[3]!.seq]);
    expect(codeOf(await registry.admin.events('nothing', { after: null, limit: 1 }))).toBe('not_found');
  });
});
