import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonOf, send } from '@heddle/testing-api';
import type { Graph } from '@heddle/testing-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnCluster } from './on-cluster.js';
import { brightened, PACKAGES, publishPackage } from './published-package.ts';

const OPTIONS = {
  env: { HEDDLE_SURFACE: 'managed', HEDDLE_DEPLOYMENT_HOST: 'run.test' },
  replicas: 'gateway=1,jobs=1,worker=0',
};
const GOOD = { amount: 0.5, model: 'any.safetensors' };

await describeOnCluster('packages of the registry in a cluster', OPTIONS, (on) => {
  let key: string;
  const registry = () => on().cluster.processes.find(({ plan }) => plan.service === 'registry')!;

  async function admin(path: string, body: object): Promise<{ status: number; fields: Record<string, unknown> }> {
    const note = await readFile(join(on().place.dataDir, 'admin.json'), 'utf8');
    const { url, token } = JSON.parse(note) as Record<string, string>;
    const answer = await fetch(`${url}/admin/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, fields: (await answer.json()) as Record<string, unknown> };
  }
  const made = async (label: string, packages: object[]) =>
    await admin('deployments', { label, provider: 'external', environment: { packages } });
  /** The code of the refusal, and the reasons at the node of the package. No worker comes, so no submission is accepted. */
  async function refusal(label: string, workflow: Graph): Promise<unknown[]> {
    const answer = await send(on().cluster.url, {
      ...{ method: 'POST', target: '/api/v2/jobs', body: JSON.stringify({ workflow }) },
      headers: { host: `${label}.run.test`, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const { error } = jsonOf<{ error: { code: string; details?: { node_errors?: Record<string, object[]> } } }>(answer);
    return [answer.status, error.code, ...(error.details?.node_errors?.['3'] ?? [])];
  }
  const NOT_READY = [429, 'deployment_not_ready'];

  beforeAll(async () => {
    key = String((await admin('keys', { account: 'acme' })).fields['key']);
    const folder = join(on().place.dataDir, 'image-tools');
    await mkdir(folder);
    const { url, registryUrl } = on().cluster;
    await publishPackage(folder, key, { url, registry: registryUrl! });
    expect((await made('plain', [])).status).toBe(201);
    expect((await made('packaged', PACKAGES)).status).toBe(201);
  }, 120_000);
  afterAll(() => registry().resume());

  it('are added to the classes of the deployment that pins them', async () => {
    await expect.poll(() => refusal('packaged', brightened(GOOD)), { timeout: 30_000 }).toEqual(NOT_READY);
    const named = { package: { node_id: 'image-tools', version: '1.0.0' } };
    const unknown = { field: 'class_type', reason: 'unknown_node_class', ...named };
    await expect.poll(() => refusal('plain', brightened(GOOD))).toEqual([422, 'invalid_workflow', unknown]);
    const above = { field: 'amount', reason: 'value_above_max' };
    expect(await refusal('packaged', brightened({ amount: 2 }))).toEqual([422, 'invalid_workflow', above]);
  });

  it('are asked for before a worker is there, which an autoscaler sees at the gateway', async () => {
    const metrics = await (await fetch(`${on().cluster.opsUrl}/metrics`)).text();
    const demand = metrics.split('\n').filter((line) => line.startsWith('heddle_deployment_waiting{'));
    expect(demand).toEqual(['heddle_deployment_waiting{deployment="packaged"} 1']);
  });

  it('must be in the registry', async () => {
    const { status, fields } = await made('other', [...PACKAGES, { id: 'image-tools', version: '9.0.0' }]);
    expect([status, JSON.stringify(fields)]).toEqual([422, expect.stringContaining('no version image-tools@9.0.0')]);
  });

  it('stay known while the registry is away, but no others are pinned', async () => {
    registry().freeze();
    expect(await refusal('packaged', brightened(GOOD))).toEqual(NOT_READY);
    const { status, fields } = await made('other', PACKAGES);
    expect([status, fields['error']]).toEqual([
      409,
      expect.objectContaining({ code: 'wrong_state', message: expect.stringContaining('does not answer') as string }),
    ]);
  });
});
