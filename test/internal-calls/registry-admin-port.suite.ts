import type { Answer, RegistryAdminPort } from '@heddle/contracts-messages';
import { beforeAll, expect, it } from 'vitest';
import type { PublishingClient } from './publish-package.js';

function value<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(answer.rejection.message);
  return answer.value;
}

const all = { after: null, limit: 1_000 };

/** RegistryAdminPort, directly and over gRPC. `publisher`: one of its own for each binding. */
export function itModeratesARegistry(
  publisher: string,
  registry: () => RegistryAdminPort,
  client: () => PublishingClient,
  deadTask: () => Promise<string>,
): void {
  const nodeId = `pack-of-${publisher}`;
  const name = { nodeId, version: '1.0.0' };
  const node = { nodeId, publisher, version: null };

  beforeAll(async () => {
    await client().makePublisher(publisher);
    await client().publishFlagged(publisher, nodeId, '1.0.0');
  });

  it('lists what waits, in parts', async () => {
    const [entry] = value(await registry().queue(all)).filter((one) => one.nodeId === nodeId);
    expect(entry).toEqual({
      cursor: expect.any(String) as string,
      kind: 'flagged',
      ...name,
      at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      text: expect.stringContaining('decoded-exec') as string,
    });
    const reports = { reason: 'other', message: 'é' };
    await client().send('POST', `/nodes/${nodeId}/reports`, reports);
    const after = value(await registry().queue({ after: entry!.cursor, limit: 1 }));
    expect(after).toMatchObject([{ kind: 'report', nodeId, version: null, text: expect.stringContaining('é') }]);
    expect(await registry().queue({ after: 'x', limit: 1 })).toMatchObject({ rejection: { code: 'invalid_request' } });
  });

  it('decides on versions, nodes and publishers, and refuses what is not there', async () => {
    const admin = registry();
    const reviewed = { ...node, version: '1.0.0', status: 'active', reason: 'its own é' };
    expect(value(await admin.review(name, 'active', 'its own é'))).toEqual(reviewed);
    expect(value(await admin.rescan(name))).toEqual(reviewed);
    expect(value(await admin.ban({ nodeId }, 'why'))).toEqual({ ...node, status: 'banned', reason: 'why' });
    expect(value(await admin.unban({ nodeId }, ''))).toMatchObject({ ...node, status: 'active' });
    const whole = { nodeId: null, publisher, version: null };
    expect(value(await admin.ban({ publisher }, ''))).toEqual({ ...whole, status: 'banned', reason: '' });
    expect(value(await admin.unban({ publisher }, ''))).toMatchObject({ ...whole, status: 'active' });
    for (const refused of [
      await admin.ban({ nodeId: 'nothing' }, ''),
      await admin.ban({ publisher: 'nobody' }, ''),
      await admin.review({ ...name, version: '9.0.0' }, 'active', ''),
      await admin.rescan({ ...name, version: '9.0.0' }),
      await admin.setRanks('nothing', {}),
      await admin.release('nothing'),
      await admin.events('nothing', all),
    ])
      expect(refused).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
    expect(await admin.review(name, 'gone', '')).toMatchObject({
      ok: false,
      rejection: { code: 'invalid_request', details: { fields: { status: expect.any(String) as string } } },
    });
  });

  it('lists dead callbacks behind what is older, and makes them due again once', async () => {
    const admin = registry();
    const first = await deadTask();
    const second = await deadTask();
    const dead = value(await admin.queue(all)).filter(({ kind }) => kind === 'delivery');
    expect(dead.map(({ text }) => text)).toEqual([first, second].map((id) => `${id}: the receiver answered 500`));
    expect(dead[0]).toMatchObject({ nodeId: '', version: null });
    expect(value(await admin.queue({ after: dead[0]!.cursor, limit: 1 }))).toEqual([dead[1]]);
    expect(value(await admin.redeliver(first))).toEqual({ taskId: first, deliveries: 1 });
    expect(value(await admin.redeliver(first))).toEqual({ taskId: first, deliveries: 0 });
    expect(value(await admin.queue(all)).filter(({ kind }) => kind === 'delivery')).toEqual([dead[1]]);
    expect(value(await admin.redeliver(second))).toEqual({ taskId: second, deliveries: 1 });
    for (const id of ['nothing', '', '00000000-0000-4000-8000-000000000000'])
      expect(await admin.redeliver(id)).toMatchObject({ ok: false, rejection: { code: 'not_found' } });
  });

  it('sets what is given of a node, and nothing else', async () => {
    const shown = async (): Promise<unknown> => {
      const { search_ranking, preempted_wf_node_names, tags_admin } = await client().read(`/nodes/${nodeId}`);
      return { search_ranking, preempted_wf_node_names, tags_admin };
    };
    value(await registry().setRanks(nodeId, { searchRanking: 7, preempted: ['A', 'B'], tags: ['verified'] }));
    const set = { search_ranking: 7, preempted_wf_node_names: ['A', 'B'], tags_admin: ['verified'] };
    expect(await shown()).toEqual(set);
    value(await registry().setRanks(nodeId, { tags: [] }));
    expect(await shown()).toEqual({ ...set, tags_admin: [] });
    value(await registry().setRanks(nodeId, {}));
    expect(await shown()).toEqual({ ...set, tags_admin: [] });
    expect(await registry().setRanks(nodeId, { searchRanking: 1.5 })).toMatchObject({
      rejection: { code: 'invalid_request' },
    });
  });

  it('takes the classes that an extractor found, once, whatever their size', async () => {
    const described = { category: 'c', description: 'é'.repeat(900_000), return_types: '["IMAGE"]' };
    const nodes = { Clé: described };
    expect(await registry().setClasses(name, { success: true, reason: '', nodes: { '': 1 } })).toMatchObject({
      rejection: { code: 'invalid_request' },
    });
    expect(await registry().setClasses(name, { success: true, reason: '', nodes })).toEqual({ ok: true, value: null });
    expect(await registry().setClasses(name, { success: true, reason: '', nodes })).toMatchObject({
      rejection: { code: 'already_set' },
    });
  });

  it('tells the history of a node, in parts, and gives the node to nobody', async () => {
    expect(value(await registry().release(nodeId))).toMatchObject({ nodeId, publisher: 'unclaimed' });
    // Events are shown once they have their number, a moment after their commit.
    await expect
      .poll(async () => value(await registry().events(nodeId, all)).map(({ type }) => type))
      .toEqual(expect.arrayContaining(['NodeBanned', 'VersionReviewed', 'NodeReleased']));
    const events = value(await registry().events(nodeId, all));
    expect(events.find(({ type }) => type === 'NodeBanned')).toEqual({
      seq: expect.any(Number) as number,
      type: 'NodeBanned',
      at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      actor: 'admin',
      data: { reason: 'why' },
    });
    expect(value(await registry().events(nodeId, { after: String(events[1]!.seq), limit: 2 }))).toEqual(
      events.slice(2, 4),
    );
  });
}
