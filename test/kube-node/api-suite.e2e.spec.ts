import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHeddleImage } from '../../tools/images/make-heddle-image.ts';
import { ROOT } from '../charts/charts.ts';
import { BUILD_MS, nodeKube, tell, type NodeKube } from './real-kube.fixture.ts';

const SUITE_MS = 900_000;
const STOP_MS = 120_000;
const SLOTS = 4;
/** Loopback names are served on managed without a Host of their own, and URLs of the registry name no port. */
const REGISTRY = { host: '127.0.0.2', port: 80 };

/** The suite that standalone and the cluster of processes pass, against a release on managed, over S3. */
describe('the API suite against a release', { timeout: SUITE_MS }, () => {
  let kube: NodeKube;
  let url: string;
  beforeAll(async () => {
    kube = await nodeKube();
    const image = await makeHeddleImage(ROOT);
    await kube.images.import(image);
    await kube.install(image.tag, releaseOf(kube));
    url = await kube.openApi(kube.apiPort);
    await kube.open('registry-api', REGISTRY);
  }, BUILD_MS);
  afterAll(async () => {
    await kube?.remove();
  }, STOP_MS);

  it('passes', async () => {
    const suite = spawn(
      process.execPath,
      // One file at a time: some fill every slot of the workers.
      ['node_modules/vitest/vitest.mjs', 'run', 'test/api', '--maxWorkers', '1', '--reporter', 'dot', '--no-color'],
      {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          PATH: process.env['PATH'],
          TEST_SERVERS: 'none',
          HEDDLE_TEST_SURFACE: 'managed',
          HEDDLE_TEST_STORE: 's3',
          HEDDLE_TEST_URL: url,
          HEDDLE_TEST_REGISTRY_URL: `http://${REGISTRY.host}`,
          HEDDLE_TEST_TOKEN: kube.keys.apiKey,
          HEDDLE_TEST_SLOTS: String(SLOTS),
        },
      },
    );
    const [said, [code]] = await Promise.all([text(suite.stdout), once(suite, 'close') as Promise<[number | null]>]);
    const passed = Number(/Tests\s.*?(\d+) passed/.exec(said)?.[1] ?? 0);
    tell(`${passed} tests of the API suite passed`);
    expect(code, said.slice(-20_000)).toBe(0);
    expect(passed).toBeGreaterThan(500);
  });
});

/** With a host of the registry that is reached from here, and one worker whose slots are all that run jobs. */
function releaseOf(kube: NodeKube): object {
  const values = kube.valuesOf('') as Record<'hosts' | 'settings' | 'workers', object>;
  return {
    hosts: { ...values.hosts, registry: REGISTRY.host },
    settings: { ...values.settings, HEDDLE_READ_BURST: 2_000, HEDDLE_REGISTRY_PUBLISHERS: 1_000 },
    workers: { ...values.workers, replicas: 1, slots: SLOTS, engineMemoryMb: 256 },
  };
}
