// Renders the charts as an operator would, with the values of their `ci` folders and with others.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import {
  installChartTools,
  installFurtherChartTools,
  type ChartTools,
  type FurtherChartTools,
} from '../../tools/charts/chart-tools.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export type Chart = 'heddle' | 'heddle-deployment';
export const CHARTS: readonly Chart[] = ['heddle', 'heddle-deployment'];

/** A rendered object. Specs read deep paths of it, so nothing is typed beyond its name. */
export interface KubeObject {
  readonly kind: string;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Ending {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

let installed: Promise<ChartTools> | null = null;
let further: Promise<FurtherChartTools> | null = null;

/** The tools, which the test run has installed. */
export function tools(): Promise<ChartTools> {
  return (installed ??= installChartTools(join(ROOT, '.cache')));
}

/** Those that only the part `charts-full` and specs on a cluster have. */
export function furtherTools(): Promise<FurtherChartTools> {
  return (further ??= installFurtherChartTools(join(ROOT, '.cache')));
}

export function run(command: string, args: readonly string[]): Promise<Ending> {
  return new Promise((done) => {
    execFile(command, args, { cwd: ROOT, maxBuffer: 64 * 1024 ** 2 }, (error, out, text) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      // Helm reports that both charts share a folder of templates.
      done({
        code,
        out,
        error: text
          .split('\n')
          .filter((line) => !line.includes('found symbolic link'))
          .join('\n'),
      });
    });
  });
}

/** Names of the files with values in a chart's `ci` folder. */
export function ciValues(chart: Chart): string[] {
  return readdirSync(join(ROOT, 'charts', chart, 'ci'));
}

/** `helm template` of a chart with a file of `ci` and more arguments. */
export async function template(
  chart: Chart,
  values: string,
  args: readonly string[] = [],
  helm?: string,
): Promise<Ending> {
  const release = chart === 'heddle' ? 'heddle' : 'demo';
  const file = `charts/${chart}/ci/${values}`;
  const common = [
    'template',
    release,
    `charts/${chart}`,
    '--namespace',
    'heddle',
    '--kube-version',
    '1.36.0',
    '-f',
    file,
  ];
  return await run(helm ?? (await tools()).helm, [...common, ...args]);
}

/** The objects of a chart. */
export async function rendered(chart: Chart, values: string, args: readonly string[] = []): Promise<KubeObject[]> {
  const { code, out, error } = await template(chart, values, args);
  if (code !== 0) throw new Error(error);
  return objectsOf(out);
}

export function objectsOf(text: string): KubeObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as { kind: string; metadata: { name: string } } | null)
    .filter((body) => body !== null)
    .map((body) => ({ kind: body.kind, name: body.metadata.name, body: body as unknown as KubeObject['body'] }));
}

/** The value at a dotted path; undefined if there is none. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (one, key) => (one === null || typeof one !== 'object' ? undefined : (one as Record<string, unknown>)[key]),
      value,
    );
}
