import { describe, expect, it } from 'vitest';
import { planCluster } from './cluster-plan.js';
import type { Infrastructure } from './infrastructure.js';
import type { Replicas } from './replicas.js';

const infrastructure: Infrastructure = {
  databaseUrls: { jobs: 'postgres://j', assets: 'postgres://a', logs: 'postgres://l' },
  brokers: ['127.0.0.1:9092'],
  s3: { endpoint: 'http://127.0.0.1:9000', bucket: 'b', accessKey: 'k', secretKey: 's' },
  kafka: null,
  s3Server: null,
  databasePid: null,
  stop: () => Promise.resolve(),
};
const one: Replicas = { validation: 1, assets: 1, logs: 1, jobs: 1, gateway: 1, worker: 1 };

async function gateways(replicas: Partial<Replicas>): Promise<(string | undefined)[][]> {
  const plan = await planCluster({
    replicas: { ...one, ...replicas },
    infrastructure,
    logDir: '/tmp',
    env: { HEDDLE_HOST: '192.0.2.7' },
    port: 8189,
    hosts: ['heddle.lan', '192.0.2.7'],
  });
  const found = plan.filter(({ service }) => service === 'gateway');
  return found.map(({ env }) => [env['HEDDLE_HOST'], env['HEDDLE_ALLOWED_HOSTS']]);
}

describe('the plan of a cluster', () => {
  it('lets its only gateway listen where the operator says', async () => {
    expect(await gateways({})).toEqual([['192.0.2.7', undefined]]);
  });

  it('keeps several gateways on loopback, behind the round-robin, which answer to the same hosts', async () => {
    const behind = ['127.0.0.1', 'heddle.lan,192.0.2.7'];
    expect(await gateways({ gateway: 2 })).toEqual([behind, behind]);
  });
});
