import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHARTS, ciValues, objectsOf } from '../charts/charts.ts';
import { NAMESPACE } from '../../tools/kube/cluster/heddle-values.ts';
import { chartPath } from '../../tools/kube/cluster/install-platform.ts';
import { BUILD_MS, simulatedKube, type SimulatedKube } from './simulated-kube.fixture.ts';

describe('a real API server', () => {
  let kube: SimulatedKube;
  beforeAll(async () => {
    kube = await simulatedKube();
  }, BUILD_MS);
  afterAll(async () => {
    await kube.remove();
  });

  for (const chart of CHARTS)
    it.each(ciValues(chart))(`accepts every object of ${chart} with %s, without a warning`, async (values) => {
      const file = join(chartPath(chart), 'ci', values);
      const text = await kube.helm.run('template', 'heddle', chartPath(chart), '--values', file);
      const objects = objectsOf(text).map(({ body }) => body);
      const input = objects.map((body) => JSON.stringify(body)).join('\n');
      const { code, out, error } = await kube.kubectl.ending(
        ['apply', '--dry-run=server', '--validate=strict', '-n', NAMESPACE, '-f', '-'],
        input,
      );
      // Warnings are those of Pod Security and of deprecated fields.
      expect(error).toBe('');
      expect(code).toBe(0);
      expect(out.trim().split('\n')).toHaveLength(objects.length);
    });

  it('refuses an unknown field, so that the above says something', async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'x' },
      spec: { ports: [{ port: 1, prot: 2 }] },
    };
    const args = ['apply', '--dry-run=server', '--validate=strict', '-n', NAMESPACE, '-f', '-'];
    const { code, error } = await kube.kubectl.ending(args, JSON.stringify(body));
    expect(code).toBe(1);
    expect(error).toContain('unknown field "spec.ports[0].prot"');
  });

  it('refuses a pod that is not restricted', async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x' },
      spec: { containers: [{ name: 'x', image: 'x:1' }] },
    };
    const { code, error } = await kube.kubectl.ending(['create', '-n', NAMESPACE, '-f', '-'], JSON.stringify(body));
    expect(code).toBe(1);
    expect(error).toContain('violates PodSecurity "restricted:latest"');
  });
});
