import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REGISTRY_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { RegistryMessage } from '@heddle/contracts-messages';
import type { BusMessage } from '@heddle/platform-message-bus';
import { KafkaMessageBus } from '@heddle/platform-message-bus/kafka';
import { eventually } from '@heddle/testing-api';
import pg from 'pg';
import { expect, it } from 'vitest';
import { PublishingClient } from '../internal-calls/publish-package.js';
import { describeOnCluster } from './on-cluster.js';
import { runCli } from './run-cli.js';

interface LoggedEvent {
  readonly event_id: string;
  readonly type: string;
  readonly stream_id: string;
}

async function eventsIn(ownerUrl: string): Promise<readonly LoggedEvent[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const sql = `select e.event_id, e.type, e.stream_id from registry.event_seq s
      join registry.event e on e.position = s.position order by s.seq`;
    return (await client.query<LoggedEvent>(sql)).rows;
  } finally {
    await client.end();
  }
}

await describeOnCluster(
  'the registry of a cluster',
  { replicas: 'gateway=2,registry=2,worker=1', env: { HEDDLE_LOG_LEVEL: 'warn' } },
  (on) => {
    const replicas = () => on().cluster.processes.filter(({ plan }) => plan.service === 'registry');
    const urls = () => replicas().map(({ plan }) => `http://127.0.0.1:${plan.apiPort}`);
    const operator = async (...words: string[]): Promise<Record<string, unknown>[]> => {
      const { place } = on();
      const ended = await runCli(['registry', ...words, '--json'], { HEDDLE_DATA: place.dataDir });
      if (ended.code !== 0)
        throw new Error(`heddle registry ${words.join(' ')} ended with ${ended.code}: ${ended.err}`);
      return ended.lines();
    };

    it('signs with one key, which the launcher made', async () => {
      const shown = await Promise.all(urls().map((url) => new PublishingClient(url).read('/keys')));
      expect(shown).toHaveLength(2);
      expect(shown[1]).toEqual(shown[0]);
      const line = await readFile(join(on().place.dataDir, 'registry-keys'), 'utf8');
      expect(shown[0]).toMatchObject({ keys: [{ keyid: expect.stringContaining(line.split(':')[0]!) }] });
    });

    it('does what the operator says at a gateway, on every replica', async () => {
      const client = new PublishingClient(urls()[0]!);
      await client.makePublisher('acme');
      await client.publishFlagged('acme', 'image-tools', '1.0.0');
      const node = { node_id: 'image-tools', publisher: 'acme', version: '' };
      const version = { ...node, version: '1.0.0' };
      expect(await operator('queue')).toMatchObject([{ kind: 'flagged', node_id: 'image-tools', version: '1.0.0' }]);
      expect(await operator('review', 'image-tools@1.0.0', '--status', 'active', '--reason', 'ours')).toEqual([
        { ...version, status: 'active', reason: 'ours' },
      ]);
      expect(await operator('rescan', 'image-tools@1.0.0')).toMatchObject([version]);
      expect(await operator('set', 'image-tools', '--search-ranking', '3')).toMatchObject([node]);
      expect(await operator('ban', 'image-tools', '--reason', 'why')).toEqual([
        { ...node, status: 'banned', reason: 'why' },
      ]);
      for (const url of urls()) {
        const reader = new PublishingClient(url);
        await eventually('a ban on every replica', async () => {
          const { error } = await reader.read('/nodes/image-tools');
          return error === 'node_banned';
        });
      }
      expect(await operator('unban', 'image-tools')).toMatchObject([{ ...node, status: 'active' }]);
      expect(await operator('release', 'image-tools')).toMatchObject([{ publisher: 'unclaimed' }]);
      // An event is listed once it has its number, a moment after it was committed.
      const done = ['NodeCreated', 'VersionReviewed', 'NodeBanned', 'NodeReleased'];
      await eventually('the events of what was done', async () => {
        const types = new Set((await operator('events', 'image-tools')).map(({ type }) => type));
        return done.every((type) => types.has(type));
      });
      const unknown = await runCli(['registry', 'ban', 'nothing'], { HEDDLE_DATA: on().place.dataDir });
      expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('nothing')]);
    });

    it('publishes each of its events, in the order of its stream, though its replicas are killed', async () => {
      const { place } = on();
      const got: BusMessage<RegistryMessage>[] = [];
      const bus = await KafkaMessageBus.connect({ brokers: place.servers.brokers, clientId: 'follower' });
      await bus.subscribe(`${place.topicPrefix}${REGISTRY_EVENTS_TOPIC}`, `${place.topicPrefix}follower`, (batch) => {
        got.push(...(batch as readonly BusMessage<RegistryMessage>[]));
        return Promise.resolve();
      });
      try {
        for (const victim of replicas()) {
          const client = new PublishingClient(urls()[0]!);
          const id = `of-${victim.plan.name}`;
          await eventually('a replica that takes a publisher', async () => {
            const sent = client.makePublisher(id).then(
              () => true,
              () => false,
            );
            return await sent;
          });
          // The events of the publish are on their way.
          await client.publishFlagged(id, `pack-${id}`, '1.0.0');
          await victim.kill();
          await eventually(`${victim.plan.name} again`, async () => {
            const answer = await fetch(`http://127.0.0.1:${victim.plan.apiPort}/keys`).catch(() => null);
            return answer?.ok;
          });
        }
        const logged = await eventsIn(place.ownerUrl);
        expect(logged.length).toBeGreaterThan(10);
        await eventually('every event', () => new Set(got.map(({ id }) => id)).size >= logged.length);
        const firsts = [...new Map(got.toReversed().map((message) => [message.id, message])).values()].toReversed();
        for (const key of new Set(logged.map(({ stream_id: id }) => id))) {
          const seqs = firsts.filter((message) => message.key === key).map(({ payload }) => payload.seq);
          expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
        }
        const inOrder = firsts.toSorted((a, b) => a.payload.seq - b.payload.seq);
        expect(inOrder.map(({ id, type, key }) => ({ event_id: id, type, stream_id: key }))).toEqual(logged);
        expect(inOrder.map(({ payload }) => payload.seq)).toEqual(logged.map((_, at) => at + 1));
      } finally {
        await bus.close();
      }
    });
  },
);
