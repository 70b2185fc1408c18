import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHARTS, objectsOf, rendered, ROOT, run, tools, type Chart, type KubeObject } from './charts.ts';
import { refusedChanges } from './immutable-fields.ts';

const PREVIOUS = 'test/charts/previous';
const PREVIOUS_VERSION = '0.1.0';
const RENDERS = CHARTS.flatMap((chart) =>
  readdirSync(join(ROOT, PREVIOUS, chart)).map((file) => ({ chart, values: `${PREVIOUS}/${chart}/${file}` })),
);

async function renderOf(source: string, chart: Chart, values: string): Promise<KubeObject[]> {
  const release = chart === 'heddle' ? 'heddle' : 'demo';
  const args = ['template', release, source, '-n', 'heddle', '--kube-version', '1.36.0', '-f', values];
  const { code, out, error } = await run((await tools()).helm, args);
  expect(error).toBe('');
  expect(code).toBe(0);
  return objectsOf(out);
}

describe('an upgrade from the previous chart', () => {
  it.for(RENDERS)('keeps the values $values valid and changes no immutable field', async ({ chart, values }) => {
    const before = await renderOf(`${PREVIOUS}/${chart}-${PREVIOUS_VERSION}.tgz`, chart, values);
    const after = await renderOf(`charts/${chart}`, chart, values);
    expect(before.map(({ kind }) => kind)).toContain('Deployment');
    expect(refusedChanges(before, after)).toEqual([]);
  });

  it('is refused for other names, and for a Job that keeps its name but not what it runs', async () => {
    const values = 'full-values.yaml';
    const before = await rendered('heddle', values);
    const renamed = await rendered('heddle', values, ['--set', 'nameOverride=other']);
    expect(refusedChanges(before, renamed)).toContain('Deployment heddle-jobs: spec.selector');
    const moved = await rendered('heddle', values, ['--set', 'fullnameOverride=other']);
    expect(refusedChanges(before, moved)).toContain('Service heddle-jobs is gone');
    const job = before.find(({ kind }) => kind === 'Job')!;
    const changed = { ...job, body: { ...job.body, spec: { template: {} } } };
    expect(refusedChanges(before, [...before.filter((one) => one !== job), changed])).toEqual([
      `Job ${job.name}: spec.template`,
    ]);
  });
});
