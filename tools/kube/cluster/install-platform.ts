import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Helm } from './helm.ts';

const CHARTS = fileURLToPath(new URL('../../../charts/', import.meta.url));
const WAIT = ['--wait', '--timeout', '10m'];

export type ChartName = 'heddle' | 'heddle-deployment';
export const chartPath = (chart: ChartName): string => join(CHARTS, chart);

export interface ReleasePlan {
  readonly release: string;
  readonly chart: ChartName;
  readonly values: object;
  /** Where the file of the values is written. */
  readonly folder: string;
}

/** Installs a release, or upgrades it if it is there; resolves with the seconds until its pods are ready. */
export async function installRelease(helm: Helm, { release, chart, values, folder }: ReleasePlan): Promise<number> {
  const file = join(folder, `${release}-values.json`);
  writeFileSync(file, JSON.stringify(values, null, 2), { mode: 0o600 });
  const startedAt = performance.now();
  await helm.run('upgrade', '--install', release, chartPath(chart), '--values', file, ...WAIT);
  return (performance.now() - startedAt) / 1000;
}
