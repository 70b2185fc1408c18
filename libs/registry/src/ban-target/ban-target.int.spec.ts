import type { RegistryVerdict } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistryLog } from '../commit-events/registry-log.js';
import { ManagedRegistry, valueOf } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const NODE = { nodeId: 'pack-a' };

describe('a ban', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    ({ registry, token } = await ManagedRegistry.withPackage());
  });
  afterAll(() => registry.close());

  const shown = async (path: string, bearer = '') => {
    const { status, body } = await registry.call('GET', path, bearer);
    return body.error === undefined ? [status, body.status] : [status, body.error];
  };
  const versionNow = async () => (await registry.call('GET', '/nodes/pack-a/versions/1.0.0', ANN)).body;
  /** Members are told why, with their account or with a token; strangers are not. */
  const expectReason = async (said: string, reason: string) => {
    for (const path of ['/nodes/pack-a', '/nodes/pack-a/versions', '/nodes/pack-a/versions/1.0.0']) {
      const messages = [ANN, token, BOB, ''].map(async (by) => (await registry.call('GET', path, by)).body.message);
      const told = `${said} The reason is "${reason}".`;
      expect([path, ...(await Promise.all(messages))]).toEqual([path, told, told, said, said]);
    }
    const identifier = { node_id: 'pack-a', version: '1.0.0' };
    for (const [by, text] of [
      [ANN, reason],
      [token, reason],
      [BOB, ''],
    ] as const) {
      const { body } = await registry.call('POST', '/bulk/nodes/versions', by, { node_versions: [identifier] });
      expect(body.node_versions[0].node_version).toMatchObject({
        status: 'NodeVersionStatusBanned',
        status_reason: text,
      });
    }
  };
  it('bans a node: nothing of it is written or read, until the unban gives all of it back', async () => {
    const open = (await registry.publish('acme', 'pack-a', '2.0.0', token)).body;
    const banned: RegistryVerdict = {
      nodeId: 'pack-a',
      publisher: 'acme',
      version: null,
      status: 'banned',
      reason: 'malware',
    };
    expect(valueOf(await registry.admin.ban({ nodeId: 'PACK-A' }, 'malware'))).toEqual(banned);
    expect(valueOf(await registry.admin.ban(NODE, 'again'))).toEqual(banned);
    for (const [method, path, body] of [
      ['GET', '/nodes/pack-a'],
      ['GET', '/nodes/pack-a/versions/1.0.0'],
      ['PUT', '/publishers/acme/nodes/pack-a', {}],
      ['DELETE', '/publishers/acme/nodes/pack-a'],
      ['PUT', '/publishers/acme/nodes/pack-a/versions/1.0.0', {}],
      ['DELETE', '/publishers/acme/nodes/pack-a/versions/1.0.0'],
      ['POST', '/nodes/pack-a/reviews?star=1'],
      ['POST', '/nodes/pack-a/reports', { reason: 'spam' }],
    ] as const) {
      const { status, body: answer } = await registry.call(method, path, ANN, body);
      expect([method, path, status, answer.error]).toEqual([method, path, 403, 'node_banned']);
    }
    expect((await registry.publish('acme', 'pack-a', '3.0.0', token)).body.error).toBe('node_banned');
    await expectReason('The node pack-a is banned.', 'malware');
    expect((await registry.upload(open.signedUrl)).body.error).toBe('node_banned');
    expect(valueOf(await registry.admin.unban(NODE, ''))).toMatchObject({ status: 'active' });
    expect(await shown('/nodes/pack-a')).toEqual([200, 'NodeStatusActive']);
    expect(await versionNow()).toMatchObject({
      status: 'NodeVersionStatusActive',
      downloadUrl: expect.stringMatching(/archive$/),
    });
    expect((await registry.upload(open.signedUrl)).status).toBe(200);
  });

  it('bans a publisher with all that it has, and it is still shown', async () => {
    expect(valueOf(await registry.admin.ban({ publisher: 'acme' }, 'spam'))).toEqual({
      nodeId: null,
      publisher: 'acme',
      version: null,
      status: 'banned',
      reason: 'spam',
    });
    expect(await shown('/publishers/acme')).toEqual([200, 'PublisherStatusBanned']);
    expect(await shown('/nodes/pack-a')).toEqual([403, 'publisher_banned']);
    for (const [method, path, body] of [
      ['PUT', '/publishers/acme', {}],
      ['POST', '/publishers/acme/nodes', { id: 'new' }],
      ['POST', '/publishers/acme/tokens', { name: 't' }],
      ['POST', '/publishers/acme/members', { account: 'bob', role: 'member' }],
      ['PUT', '/publishers/acme/nodes/pack-a', {}],
      ['DELETE', '/publishers/acme/nodes/pack-a/versions/1.0.0'],
      ['POST', '/nodes/pack-a/reviews?star=1'],
    ] as const) {
      const { status, body: answer } = await registry.call(method, path, ANN, body);
      expect([method, path, status, answer.error]).toEqual([method, path, 403, 'publisher_banned']);
    }
    expect((await registry.publish('acme', 'pack-a', '3.0.0', token)).body.error).toBe('publisher_banned');
    await expectReason('The publisher acme is banned.', 'spam');
    valueOf(await registry.admin.unban({ publisher: 'acme' }, ''));
    expect(await shown('/nodes/pack-a')).toEqual([200, 'NodeStatusActive']);
  });

  it('bans a publisher beside a change of one of its nodes, and neither waits for the other', async () => {
    const owner = await registry.publisher('waits', ANN, { actions: ['publish'] });
    await registry.publish('waits', 'pack-waits', '1.0.0', owner);
    await registry.app.get(RegistryLog).commit(async (unit) => {
      // The row of the listing that the ban writes refers to this locked node.
      await unit.node('pack-waits');
      valueOf(await registry.admin.ban({ publisher: 'waits' }, 'spam'));
    });
    expect(await shown('/nodes/pack-waits')).toEqual([403, 'publisher_banned']);
  });

  it('who bans while versions are published leaves none published after the ban', async () => {
    const publishes = Array.from({ length: 8 }, (_, at) =>
      registry.publish('acme', `race-${'qwertzuo'[at]}`, '1.0.0', token),
    );
    const [ban, ...answers] = await Promise.all([registry.admin.ban({ publisher: 'acme' }, 'race'), ...publishes]);
    valueOf(ban);
    const { rows } = await registry.database.owner.query<{ types: string[] }>(
      `select array_agg(type order by position) as types from registry.event
       where type in ('PublisherBanned', 'PublisherUnbanned', 'VersionPublished')`,
    );
    const lastBan = rows[0]!.types.lastIndexOf('PublisherBanned');
    expect(rows[0]!.types.slice(lastBan + 1)).toEqual([]);
    for (const { status, body } of answers) expect([201, 403], JSON.stringify(body)).toContain(status);
    valueOf(await registry.admin.unban({ publisher: 'acme' }, ''));
  });
});
