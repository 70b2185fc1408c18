import type { Answer, RegistryEventView, RegistryVerdict } from '@heddle/contracts-messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistryLog } from '../commit-events/registry-log.js';
import { ManagedRegistry } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const NODE = { nodeId: 'pack-a' };
const VERSION = { nodeId: 'pack-a', version: '1.0.0' };
const CLASS = { category: 'c', return_types: '["IMAGE"]', output_is_list: [false] };

function value<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(answer.rejection.message);
  return answer.value;
}

describe('an operator', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open({ forges: ['forge.example'] });
    token = await registry.publisher('acme', ANN, { actions: ['publish', 'deprecate', 'delete'] });
    await registry.active('acme', 'pack-a', '1.0.0', token, { repository: 'https://forge.example/acme/pack-a' });
  });
  afterAll(() => registry.close());

  const shown = async (path: string, bearer = '') => {
    const { status, body } = await registry.call('GET', path, bearer);
    return body.error === undefined ? [status, body.status] : [status, body.error];
  };
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
  const versionNow = async () => (await registry.call('GET', '/nodes/pack-a/versions/1.0.0', ANN)).body;
  const codeOf = (answer: Answer<unknown>) => (answer.ok ? 'ok' : answer.rejection.code);

  it('bans a node: nothing of it is written or read, until the unban gives all of it back', async () => {
    const open = (await registry.publish('acme', 'pack-a', '2.0.0', token)).body;
    const banned: RegistryVerdict = {
      nodeId: 'pack-a',
      publisher: 'acme',
      version: null,
      status: 'banned',
      reason: 'malware',
    };
    expect(value(await registry.admin.ban({ nodeId: 'PACK-A' }, 'malware'))).toEqual(banned);
    expect(value(await registry.admin.ban(NODE, 'again'))).toEqual(banned);
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
    expect(value(await registry.admin.unban(NODE, ''))).toMatchObject({ status: 'active' });
    expect(await shown('/nodes/pack-a')).toEqual([200, 'NodeStatusActive']);
    expect(await versionNow()).toMatchObject({
      status: 'NodeVersionStatusActive',
      downloadUrl: expect.stringMatching(/archive$/),
    });
    expect((await registry.upload(open.signedUrl)).status).toBe(200);
  });

  it('bans a publisher with all that it has, and it is still shown', async () => {
    expect(value(await registry.admin.ban({ publisher: 'acme' }, 'spam'))).toEqual({
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
    value(await registry.admin.unban({ publisher: 'acme' }, ''));
    expect(await shown('/nodes/pack-a')).toEqual([200, 'NodeStatusActive']);
  });

  it('bans a publisher beside a change of one of its nodes, and neither waits for the other', async () => {
    const owner = await registry.publisher('waits', ANN, { actions: ['publish'] });
    await registry.publish('waits', 'pack-waits', '1.0.0', owner);
    await registry.app.get(RegistryLog).commit(async (unit) => {
      // The row of the listing that the ban writes refers to this locked node.
      await unit.node('pack-waits');
      value(await registry.admin.ban({ publisher: 'waits' }, 'spam'));
    });
    expect(await shown('/nodes/pack-waits')).toEqual([403, 'publisher_banned']);
  });

  it('who bans while versions are published leaves none published after the ban', async () => {
    const publishes = Array.from({ length: 8 }, (_, at) =>
      registry.publish('acme', `race-${'qwertzuo'[at]}`, '1.0.0', token),
    );
    const [ban, ...answers] = await Promise.all([registry.admin.ban({ publisher: 'acme' }, 'race'), ...publishes]);
    value(ban);
    const { rows } = await registry.database.owner.query<{ types: string[] }>(
      `select array_agg(type order by position) as types from registry.event
       where type in ('PublisherBanned', 'PublisherUnbanned', 'VersionPublished')`,
    );
    const lastBan = rows[0]!.types.lastIndexOf('PublisherBanned');
    expect(rows[0]!.types.slice(lastBan + 1)).toEqual([]);
    for (const { status, body } of answers) expect([201, 403], JSON.stringify(body)).toContain(status);
    value(await registry.admin.unban({ publisher: 'acme' }, ''));
  });

  it('reviews a version, and the bytes follow its status', async () => {
    const review = (status: string, reason = '') => registry.admin.review(VERSION, status, reason);
    expect(value(await review('flagged', 'looks odd'))).toMatchObject({ version: '1.0.0', status: 'flagged' });
    const path = '/publishers/acme/nodes/pack-a/versions/1.0.0/request-review';
    expect((await registry.call('POST', path, token, { message: 'it is an example' })).status).toBe(202);
    expect((await registry.call('POST', path, token, {})).status).toBe(202);
    expect(value(await registry.admin.queue({ after: null, limit: 10 }))).toMatchObject([
      { kind: 'flagged', nodeId: 'pack-a', version: '1.0.0', text: 'looks odd' },
      { kind: 'review', nodeId: 'pack-a', version: '1.0.0', text: 'it is an example' },
    ]);
    const [first] = value(await registry.admin.queue({ after: null, limit: 1 }));
    expect(value(await registry.admin.queue({ after: first!.cursor, limit: 5 }))).toMatchObject([{ kind: 'review' }]);
    expect(codeOf(await registry.admin.queue({ after: 'x', limit: 5 }))).toBe('invalid_request');

    value(await review('banned', 'bad'));
    expect(await shown('/nodes/pack-a/versions/1.0.0', ANN)).toEqual([403, 'node_banned']);
    const banned = '/nodes/pack-a/versions/1.0.0';
    expect((await registry.call('GET', banned, BOB)).body.message).toBe('The version pack-a@1.0.0 is banned.');
    expect((await registry.call('GET', banned, token)).body.message).toMatch(/ is banned\. The reason is "bad"\.$/);
    expect(codeOf(await review('flagged'))).toBe('already_set');
    expect(value(await review('active'))).toMatchObject({ status: 'active', reason: '' });
    expect(value(await registry.admin.queue({ after: null, limit: 10 }))).toEqual([]);
    value(await review('deleted'));
    expect(await shown('/nodes/pack-a/versions/1.0.0')).toEqual([404, 'not_found']);
    value(await review('active'));
    expect(await shown('/nodes/pack-a/versions/1.0.0')).toEqual([200, 'NodeVersionStatusActive']);
    expect(codeOf(await review('pending'))).toBe('invalid_request');
    await registry.publish('acme', 'pack-a', '7.0.0', token);
    expect(codeOf(await registry.admin.review({ ...NODE, version: '7.0.0' }, 'active', ''))).toBe('already_set');
    expect(codeOf(await registry.admin.review({ ...NODE, version: 'x' }, 'active', ''))).toBe('not_found');
    expect(codeOf(await registry.admin.ban({ nodeId: 'nothing' }, ''))).toBe('not_found');
  });

  it('has a version scanned again, which a flag does not outlive', async () => {
    value(await registry.admin.review(VERSION, 'flagged', 'by hand'));
    expect(value(await registry.admin.rescan(VERSION))).toMatchObject({ status: 'flagged' });
    await registry.until(async () => (await versionNow()).status === 'NodeVersionStatusActive');
    const { rows } = await registry.database.owner.query(
      `select waits, is_rescan from registry.version where node_key = 'pack-a' and version = '1.0.0'`,
    );
    expect(rows).toEqual([{ waits: false, is_rescan: false }]);
    expect(codeOf(await registry.admin.rescan({ ...NODE, version: '7.0.0' }))).toBe('already_set');
  });

  it('posts classes once', async () => {
    const post = (posted: object) =>
      registry.admin.setClasses(VERSION, { success: true, reason: '', nodes: {}, ...posted });
    const wrong = await post({ nodes: { A: { input_types: '[', policy: 'x' }, B: 1 } });
    if (wrong.ok) throw new Error('it was taken');
    expect(Object.keys(wrong.rejection.details!['fields'] as object)).toEqual([
      'nodes.A.input_types',
      'nodes.A.policy',
      'nodes.B',
    ]);
    const both = await Promise.all([post({ nodes: { A: CLASS } }), post({ nodes: { A: CLASS } })]);
    expect(both.map(codeOf).sort()).toEqual(['already_set', 'ok']);
    expect(await versionNow()).toMatchObject({ wf_node_extract_status: 'success' });
    const { rows } = await registry.database.owner.query(`select name, doc from registry.wf_node where name = 'A'`);
    expect(rows).toMatchObject([{ doc: { wf_node_name: 'A', input_types: '{}', ...CLASS } }]);
  });

  it('ranks a node', async () => {
    value(await registry.admin.setRanks('pack-a', { searchRanking: 5, preempted: ['A'] }));
    value(await registry.admin.setRanks('pack-a', { tags: ['trusted'] }));
    expect((await registry.call('GET', '/nodes/pack-a')).body).toMatchObject({
      search_ranking: 5,
      preempted_wf_node_names: ['A'],
      tags_admin: ['trusted'],
    });
    expect(codeOf(await registry.admin.setRanks('pack-a', { searchRanking: 0.5 }))).toBe('invalid_request');
  });

  it('reads the history of a node, with who did it', async () => {
    let events: readonly RegistryEventView[] = [];
    await registry.until(async () => {
      events = value(await registry.admin.events('pack-a', { after: null, limit: 1_000 }));
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
    const rest = value(await registry.admin.events('pack-a', { after: String(events[1]!.seq), limit: 2 }));
    expect(rest.map(({ seq }) => seq)).toEqual([events[2]!.seq, events[3]!.seq]);
    expect(codeOf(await registry.admin.events('nothing', { after: null, limit: 1 }))).toBe('not_found');
  });

  it('releases a node, which another publisher may then claim from its repository alone', async () => {
    await registry.publisher('heirs', BOB);
    const claim = (bearer = BOB, node = 'pack-a') =>
      registry.call('POST', `/publishers/heirs/nodes/${node}/claim-my-node`, bearer);
    expect((await claim()).body.error).toBe('already_set');
    expect(value(await registry.admin.release('pack-a'))).toMatchObject({ publisher: 'unclaimed', status: 'active' });
    expect((await registry.publish('acme', 'pack-a', '8.0.0', token)).body.error).toBe('forbidden');
    expect((await claim(ANN)).body.error).toBe('forbidden');
    expect((await claim('')).body.error).toBe('unauthorized');
    const first = await claim();
    expect(first).toMatchObject({
      status: 200,
      body: { path: '.heddle-claim', challenge: expect.stringMatching(/^heddle-claim-[0-9a-f]{32}$/) },
    });
    // The host has no address: nothing could be read.
    const second = await claim();
    expect([second.status, second.body.error]).toEqual([503, 'vendor_unavailable']);
    await registry.active('acme', 'pack-x', '1.0.0', token, { repository: 'https://elsewhere.example/acme/x' });
    value(await registry.admin.release('pack-x'));
    expect((await claim(BOB, 'pack-x')).body.error).toBe('invalid_request');
    expect((await claim(BOB, 'nothing')).body.error).toBe('not_found');
  });
});
