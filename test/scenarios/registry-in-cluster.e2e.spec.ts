import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@heddle/testing-api';
import { expect, it } from 'vitest';
import { PublishingClient } from '../internal-calls/publish-package.js';
import { describeOnCluster } from './on-cluster.js';
import { runCli } from './run-cli.js';

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
      const node = { node_id: 'image-tools', publisher: 'acme', version: null };
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
      const types = (await operator('events', 'image-tools')).map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['NodeCreated', 'VersionReviewed', 'NodeBanned', 'NodeReleased']));
      const unknown = await runCli(['registry', 'ban', 'nothing'], { HEDDLE_DATA: on().place.dataDir });
      expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('nothing')]);
    });
  },
);
