import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at, objectsOf, ROOT, run, tools } from './charts.ts';

const FOLDER = 'deploy/kubernetes';

const manifests = readdirSync(join(ROOT, FOLDER)).filter(
  (name) => name.endsWith('.yaml') && name !== 'heddle-values.yaml',
);

describe('the examples for Kubernetes', () => {
  it('render with their values, as Helm does and as Argo CD does', async () => {
    const { helm } = await tools();
    const args = [
      'template',
      'heddle',
      'charts/heddle',
      '--namespace',
      'heddle',
      '--kube-version',
      '1.36.0',
      '-f',
      `${FOLDER}/heddle-values.yaml`,
    ];
    const [application] = objectsOf(readFileSync(join(ROOT, FOLDER, 'argo-cd.yaml'), 'utf8'));
    const parameters = at(application?.body, 'spec.source.helm.parameters') as { name: string; value: string }[];
    expect((await run(helm, args)).error).toBe('');
    const sets = parameters.flatMap(({ name, value }) => ['--set', `${name}=${value}`]);
    const { out, error } = await run(helm, [...args, ...sets]);
    expect(error).toBe('');
    expect(out).not.toContain('helm.sh/hook: pre-');
  });

  it('are objects of the namespace that the values expect, with the names that they use', async () => {
    const objects = manifests.flatMap((name) => objectsOf(readFileSync(join(ROOT, FOLDER, name), 'utf8')));
    const names = objects.map(({ kind, name }) => `${kind} ${name}`);
    expect(names).toEqual(
      expect.arrayContaining(['Cluster heddle-db', 'Kafka kafka', 'Secret heddle-s3', 'OpenTelemetryCollector heddle']),
    );
    const others = objects.filter(({ kind }) => kind !== 'Application');
    expect(new Set(others.map(({ body }) => at(body, 'metadata.namespace')))).toEqual(new Set(['heddle']));
    const values = readFileSync(join(ROOT, FOLDER, 'heddle-values.yaml'), 'utf8');
    for (const used of ['heddle-s3', 'heddle-db', 'strimzi.io/cluster: kafka', 'heddle-collector'])
      expect(values).toContain(used);
  });
});
