import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KUBERNETES_VERSIONS } from '../../tools/charts/chart-tools.ts';
import { chartReadme } from '../../tools/charts/chart-readme.ts';
import { settingsFiles } from '../../tools/charts/chart-settings.ts';
import { at, CHARTS, ciValues, rendered, ROOT, run, template, tools, type Chart } from './charts.ts';

const MAX_PACKAGE_BYTES = 200_000;

const RENDERS = CHARTS.flatMap((chart) => ciValues(chart).map((values) => ({ chart, values })));

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

describe.each(CHARTS)('the chart %s', (chart) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-chart-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('has a package of at most 200 kB', async () => {
    const { helm } = await tools();
    const { code, error } = await run(helm, ['package', `charts/${chart}`, '--destination', folder]);
    expect(error).toBe('');
    expect(code).toBe(0);
    const [file = ''] = await readdir(folder);
    expect((await stat(join(folder, file))).size).toBeLessThan(MAX_PACKAGE_BYTES);
  });

  it('has a schema with the keys of its values and no others, closed at each object of the chart', async () => {
    const { values, schema } = await sources(chart);
    expect(differences(values, schema, schema, '')).toEqual([]);
  });

  it('has a schema of draft 07', async () => {
    const { schema } = await sources(chart);
    expect(new Ajv({ strict: false, allowUnionTypes: true }).validateSchema(schema)).toBe(true);
  });

  it('has the README that its comments make', async () => {
    expect(await readFile(join(ROOT, 'charts', chart, 'README.md'), 'utf8')).toBe(await chartReadme(ROOT, chart));
  });

  it('takes Kubernetes 1.30 and newer, and says so', async () => {
    const { helm } = await tools();
    const file = `charts/${chart}/ci/${ciValues(chart)[0]}`;
    const args = ['template', 'x', `charts/${chart}`, '-f', file, '--kube-version'];
    expect((await run(helm, [...args, '1.30.0'])).code).toBe(0);
    expect((await run(helm, [...args, '1.29.9'])).error).toContain('kubeVersion: >=1.30.0-0');
  });
});

describe('a render', () => {
  it.for(RENDERS)('of $chart with $values passes helm lint', async ({ chart, values }) => {
    const { helm } = await tools();
    const args = [
      'lint',
      `charts/${chart}`,
      '-f',
      `charts/${chart}/ci/${values}`,
      '--kube-version',
      '1.36.0',
      '--strict',
    ];
    const { code, out, error } = await run(helm, args);
    expect(`${out}${error}`).toContain('1 chart(s) linted, 0 chart(s) failed');
    expect(code).toBe(0);
  });

  it.each(KUBERNETES_VERSIONS)('fits the schemas of Kubernetes %s, without an unknown field', async (version) => {
    const { kubeconform, schemas } = await tools();
    const folder = await mkdtemp(join(tmpdir(), 'heddle-rendered-'));
    for (const { chart, values } of RENDERS)
      await writeFile(join(folder, `${chart}-${values}`), (await template(chart, values)).out);
    // Objects of operators have no schema there; their specs are below.
    const location = `${schemas}/v${version}/{{.ResourceKind}}{{.KindSuffix}}.json`;
    const args = ['-strict', '-summary', '-ignore-missing-schemas', '-schema-location', location, folder];
    const { code, out } = await run(kubeconform, args);
    await rm(folder, { recursive: true });
    expect(out).toContain('Invalid: 0, Errors: 0');
    expect(Number(/Valid: (\d+)/.exec(out)?.[1])).toBeGreaterThan(80);
    expect(code).toBe(0);
  });
});

describe('the ExternalSecrets', () => {
  it('name each key of the Secret of the API that a pod mounts', async () => {
    const objects = await rendered('heddle', 'full-values.yaml', [
      '--set',
      'vendors.existingSecret=,vendors.prices=false',
    ]);
    const secret = objects.find(({ kind, name }) => kind === 'ExternalSecret' && name === 'heddle-auth');
    const keys = (at(secret?.body, 'spec.data') as { secretKey: string }[]).map(({ secretKey }) => secretKey);
    expect(keys.sort()).toEqual([
      'admin-token',
      'bootstrap-key',
      'credential-keys',
      'imagevendor-key',
      'imagevendor-webhook-secret',
      'key-pepper',
      'moderation-url',
      'registry-signing-keys',
      'signed-url-keys',
      'videovendor-key',
    ]);
  });
});

describe('the files that follow from the settings', () => {
  it('are those that node tools/charts/write-chart-files.ts writes', async () => {
    for (const [path, content] of Object.entries(settingsFiles()))
      expect(await readFile(join(ROOT, path), 'utf8'), path).toBe(content);
  });
});

async function sources(chart: Chart): Promise<{ values: unknown; schema: Schema }> {
  const read = (name: string): Promise<string> => readFile(join(ROOT, 'charts', chart, name), 'utf8');
  return { values: parse(await read('values.yaml')), schema: JSON.parse(await read('values.schema.json')) as Schema };
}

/** Keys of either side that the other one lacks, and objects that are open. */
function differences(values: unknown, schema: Schema, whole: Schema, path: string): string[] {
  const own = schema.$ref === undefined ? schema : (whole.definitions?.[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (own.properties === undefined || values === null || typeof values !== 'object') return [];
  // The resources of a container name what a device plugin calls its devices.
  const isOpen = own.additionalProperties !== false && !/resources\.(requests|limits)$/.test(path);
  const keys = new Set([...Object.keys(values), ...Object.keys(own.properties)]);
  return [...keys]
    .flatMap((key) => {
      const at = path === '' ? key : `${path}.${key}`;
      const property = own.properties?.[key];
      if (property === undefined) return [`${at} is not in the schema`];
      if (!Object.hasOwn(values, key)) return /\.resources\./.test(at) ? [] : [`${at} is not in values.yaml`];
      return differences((values as Record<string, unknown>)[key], property, whole, at);
    })
    .concat(isOpen ? [`${path} is open`] : []);
}
