import { verifyLog } from '@heddle/platform-event-log';
import { registryDifferences } from '@heddle/testing-registry';
import { freshSeed as seed } from '@heddle/testing-seed';
import { array, constantFrom, integer, record, sample } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';

const CLIENTS = 6;
const STEPS = 40;

const [PUBLISHERS, NODES] = [['acme', 'other'] as const, ['fold-ab', 'fold-cd', 'fold-ef'] as const];
const VERSIONS = ['1.0.0', '1.1.0', '1.10.0', '2.0.0-rc.1'] as const;
const KINDS = [
  ...(['publish', 'publish', 'publish', 'upload', 'upload', 'install', 'install'] as const),
  ...(['deprecate', 'restore', 'delete', 'request-review', 'star', 'report', 'describe'] as const),
  ...(['review', 'rescan', 'classes', 'rank', 'ban-node', 'ban-publisher'] as const),
] as const;
const STATUSES = ['active', 'flagged', 'banned', 'deleted'] as const;
const step = record({
  kind: constantFrom(...KINDS),
  publisher: constantFrom(...PUBLISHERS),
  node: constantFrom(...NODES),
  version: constantFrom(...VERSIONS),
  status: constantFrom(...STATUSES),
  number: integer({ min: 1, max: 5 }),
});
type Step = typeof step extends Arbitrary<infer Value> ? Value : never;

describe(`the rows of the registry, after ${CLIENTS} clients at once (seed ${seed})`, () => {
  let registry: ManagedRegistry;
  const tokens = new Map<string, string>();
  const urls = new Map<string, string>();
  const answers: number[] = [];
  const installed = new Map<string, number>();

  beforeAll(async () => {
    registry = await ManagedRegistry.open({ versionsDay: 1_000, newNodesDay: 1_000, readRate: 1e6, readBurst: 1e6 });
    for (const id of PUBLISHERS) {
      const actions = ['publish', 'deprecate', 'delete'];
      tokens.set(id, await registry.publisher(id, id === 'acme' ? 'key-ann' : 'key-bob', { actions }));
    }
  });
  afterAll(() => registry.close());

  async function asked({ kind, publisher, node, version, status, number }: Step): Promise<void> {
    const token = tokens.get(publisher)!;
    const path = `/publishers/${publisher}/nodes/${node}`;
    const at = `${node}@${version}`;
    const call = async (...given: Parameters<ManagedRegistry['call']>): Promise<number> => {
      const answer = await registry.call(...given);
      answers.push(answer.status);
      return answer.status;
    };
    const name = { nodeId: node, version };
    switch (kind) {
      case 'publish': {
        const answer = await registry.publish(publisher, node, version, token, { description: `${number}` });
        answers.push(answer.status);
        if (answer.status === 201) urls.set(at, answer.body.signedUrl as string);
        return;
      }
      case 'upload':
        if (urls.has(at)) answers.push((await registry.upload(urls.get(at)!)).status);
        return;
      case 'install':
        if ((await call('GET', `/nodes/${node}/install`)) === 200) installed.set(node, (installed.get(node) ?? 0) + 1);
        return;
      case 'deprecate':
      case 'restore': {
        const change = { deprecated: kind === 'deprecate', changelog: `${number}` };
        return void (await call('PUT', `${path}/versions/${version}`, token, change));
      }
      case 'delete':
        return void (await call('DELETE', `${path}/versions/${version}`, token));
      case 'request-review':
        return void (await call('POST', `${path}/versions/${version}/request-review`, token, { message: 'm' }));
      case 'star':
        return void (await call('POST', `/nodes/${node}/reviews?star=${number}`, 'key-ann'));
      case 'report':
        return void (await call('POST', `/nodes/${node}/reports`, 'key-bob', { reason: 'spam' }));
      case 'describe':
        return void (await call('PUT', path, publisher === 'acme' ? 'key-ann' : 'key-bob', { tags: [`t${number}`] }));
      case 'review':
        return void (await registry.admin.review(name, status, `r${number}`));
      case 'rescan':
        return void (await registry.admin.rescan(name));
      case 'classes':
        return void (await registry.admin.setClasses(name, {
          success: true,
          reason: '',
          nodes: { [`C${number}`]: CLASS },
        }));
      case 'rank':
        return void (await registry.admin.setRanks(node, { searchRanking: number }));
      // Lifted at once: what others do meanwhile comes before it, within it or after it.
      case 'ban-node':
        await registry.admin.ban({ nodeId: node }, 'why');
        return void (await registry.admin.unban({ nodeId: node }, ''));
      case 'ban-publisher':
        await registry.admin.ban({ publisher }, 'why');
        return void (await registry.admin.unban({ publisher }, ''));
    }
  }

  it('are the fold of its log, the log keeps every link, and each installation counts', async () => {
    console.log(`seed ${seed}`);
    const clients = sample(array(step, { minLength: STEPS, maxLength: STEPS }), { seed, numRuns: CLIENTS });
    await Promise.all(
      clients.map(async (steps) => {
        for (const one of steps) await asked(one);
      }),
    );
    expect(answers.filter((status) => status >= 500)).toEqual([]);
    const successes = answers.filter((status) => status < 300).length;
    console.log(`${answers.length} answers, ${successes} successes`);
    expect(successes).toBeGreaterThan(20);
    const { owner } = registry.database;
    const isTrue = async (sql: string): Promise<boolean> => (await owner.query(`select where ${sql}`)).rowCount === 1;
    await registry.until(() => isTrue('not exists (select from registry.version where waits)'));
    await registry.until(() =>
      isTrue('(select count(*) from registry.event) = (select count(*) from registry.event_seq)'),
    );
    expect(await registryDifferences(owner)).toEqual([]);
    expect((await verifyLog(owner, 'registry')).faults).toEqual([]);
    const { rows } = await owner.query<{ node_key: string; downloads: string }>(
      'select node_key, downloads from registry.node_count where downloads > 0',
    );
    expect(new Map(rows.map(({ node_key, downloads }) => [node_key, Number(downloads)]))).toEqual(installed);
  });

  it.each([
    ['a status', `update registry.version set status = 'banned' where status <> 'banned'`, 'status is "banned"'],
    ['a state', `update registry.node set state = jsonb_set(state::jsonb, '{text,author}', '"x"')::json`, 'state is'],
    ['a publisher', `update registry.publisher set status = 'banned', state = '{}'`, 'publishers'],
    ['a latest version', 'update registry.node set latest_id = gen_random_uuid()', 'latest_id is'],
    [
      'a class',
      `insert into registry.wf_node select version_id, 'Zz', 99, '{"wf_node_name": "Zz"}' from registry.version`,
      'its classes',
    ],
    ['a missing event', 'delete from registry.event where version = 1', 'no event of the row'],
  ])('differ from it by %s that was changed behind it', async (_, sql, fault) => {
    const client = await registry.database.owner.connect();
    try {
      await client.query('begin');
      // This role skips triggers and foreign keys.
      await client.query('set local session_replication_role = replica');
      expect((await client.query(sql)).rowCount).toBeGreaterThan(0);
      expect((await registryDifferences(client)).join('\n')).toContain(fault);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

const CLASS = {
  ...{ input_types: '{}', return_types: '["IMAGE"]', return_names: '["IMAGE"]', output_is_list: [false] },
};
