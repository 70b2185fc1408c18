// Installs what checks the charts, at pinned versions, below the cache. Helm, promtool and the others are built with Go, the schemas of
// Kubernetes come from a Python package. A checkout with a full cache needs no network.
import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { GoProgram } from '@heddle/local-servers';
import { goModuleFolder } from './go-module-folder.ts';

export const HELM: GoProgram = {
  name: 'helm',
  package: 'helm.sh/helm/v4/cmd/helm',
  version: 'v4.2.4',
  stamps: ['helm.sh/helm/v4/internal/version.version=v4.2.4'],
};
/** The charts must render on Helm 3 as well. */
const HELM_3: GoProgram = { name: 'helm', package: 'helm.sh/helm/v3/cmd/helm', version: 'v3.21.4' };
const KUBECONFORM: GoProgram = {
  name: 'kubeconform',
  package: 'github.com/yannh/kubeconform/cmd/kubeconform',
  version: 'v0.7.0',
};
const KUBE_SCORE: GoProgram = {
  name: 'kube-score',
  package: 'github.com/zegl/kube-score/cmd/kube-score',
  version: 'v1.20.0',
};
const PROMTOOL: GoProgram = {
  name: 'promtool',
  package: 'github.com/prometheus/prometheus/cmd/promtool',
  version: 'v0.315.0',
  module: fileURLToPath(new URL('promtool', import.meta.url)),
  tags: 'remove_all_sd',
};
const PROMETHEUS: GoProgram = {
  ...PROMTOOL,
  name: 'prometheus',
  package: 'github.com/prometheus/prometheus/cmd/prometheus',
};
const SCHEMAS = { package: 'kubernetes-validate', version: '1.37.0' };
const COMPOSE = { package: 'github.com/compose-spec/compose-go/v2', version: 'v2.9.0' };
/** The oldest and the newest Kubernetes that is checked, and the oldest that the charts name. */
export const KUBERNETES_VERSIONS = ['1.31.0', '1.36.0'] as const;

/** Paths of the commands that `npm test` needs, and the folder of schemas. */
export interface ChartTools {
  readonly helm: string;
  readonly kubeconform: string;
  readonly promtool: string;
  readonly schemas: string;
  /** The schema of Compose files. */
  readonly composeSchema: string;
}

/** Paths of the commands that `npm run verify:charts` needs beside them. */
export interface FurtherChartTools {
  readonly helm3: string;
  readonly kubeScore: string;
  readonly prometheus: string;
}

const folderIn = (cacheDir: string): string => join(cacheDir, 'chart-tools');

/** Rejects if one is missing and cannot be built; the message says what to do. */
export async function installChartTools(
  cacheDir: string,
  say: (line: string) => void = () => undefined,
): Promise<ChartTools> {
  const { installGoProgram } = await import('@heddle/local-servers');
  const folder = folderIn(cacheDir);
  // One after the other: a link takes up to two gigabytes.
  const helm = await installGoProgram(folder, HELM, say);
  const kubeconform = await installGoProgram(folder, KUBECONFORM, say);
  const promtool = await installGoProgram(folder, PROMTOOL, say);
  const [schemas, composeSchema] = [await installSchemas(folder, say), await installComposeSchema(folder)];
  return { helm, kubeconform, promtool, schemas, composeSchema };
}

/** The same for the others: they take as long to build as all that `npm test` needs. */
export async function installFurtherChartTools(
  cacheDir: string,
  say: (line: string) => void = () => undefined,
): Promise<FurtherChartTools> {
  const { installGoProgram } = await import('@heddle/local-servers');
  const folder = folderIn(cacheDir);
  const helm3 = await installGoProgram(folder, HELM_3, say);
  const kubeScore = await installGoProgram(folder, KUBE_SCORE, say);
  const prometheus = await installGoProgram(folder, PROMETHEUS, say);
  return { helm3, kubeScore, prometheus };
}

/** From the module of the reference implementation. */
async function installComposeSchema(folder: string): Promise<string> {
  const { package: name, version } = COMPOSE;
  const target = join(folder, `compose-spec-${version}.json`);
  if (await isThere(target)) return target;
  const module = await goModuleFolder(folder, `${name}@${version}`);
  const text = await readFile(join(module, 'schema', 'compose-spec.json'));
  await writeFile(`${target}.${process.pid}`, text);
  await rename(`${target}.${process.pid}`, target);
  return target;
}

async function installSchemas(folder: string, say: (line: string) => void): Promise<string> {
  const target = join(folder, `${SCHEMAS.package}-${SCHEMAS.version}`);
  if (await isThere(target)) return target;
  say(`fetching the schemas of Kubernetes (${SCHEMAS.package} ${SCHEMAS.version})`);
  const draft = `${target}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    await fetchSchemas(draft);
    // Another process may have been first.
    await rename(join(draft, 'out'), target).catch(async (error: unknown) => {
      if (!(await isThere(target))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

async function fetchSchemas(draft: string): Promise<void> {
  const run = promisify(execFile);
  const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', draft];
  await run('python3', [...download, `${SCHEMAS.package}==${SCHEMAS.version}`]).catch((error: unknown) => {
    throw new Error(`the schemas of Kubernetes cannot be fetched: Python 3 with pip is needed (${String(error)})`);
  });
  const wheel = (await readdir(draft)).find((name) => name.endsWith('.whl')) ?? '';
  await run('python3', ['-m', 'zipfile', '-e', join(draft, wheel), join(draft, 'all')]);
  for (const version of KUBERNETES_VERSIONS) {
    const from = join(draft, 'all/kubernetes_validate/kubernetes-json-schema', `v${version}-local-strict`);
    const to = join(draft, 'out', `v${version}`);
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await writeFile(join(to, name), await localSchema(join(from, name)));
  }
}

/** As the package has them, the schemas refer to a server. */
async function localSchema(path: string): Promise<string> {
  const schema: unknown = JSON.parse(await readFile(path, 'utf8'), (name, value: unknown) => {
    if (name === '$id' && typeof value === 'string') return undefined;
    return name === '$ref' && typeof value === 'string'
      ? value.replace('/api/_definitions.json', '_definitions.json')
      : value;
  });
  return JSON.stringify(schema);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
