import { resolve } from 'node:path';
import type { ServiceProcess } from '@heddle/composition';
import { shownUrl } from '@heddle/platform-settings';

/** Facts for a person who starts Heddle on a terminal, beside its address. */
export function startFacts({ settings }: Pick<ServiceProcess, 'settings'>): readonly (readonly [string, string])[] {
  const { data, databaseUrl, s3Endpoint, engine, workers } = settings;
  return [
    ['data', resolve(data)],
    ...(databaseUrl === null ? [] : [['database', shownUrl(databaseUrl)] as const]),
    ...(s3Endpoint === null ? [] : [['blobs', shownUrl(s3Endpoint)] as const]),
    ['engine', `${engine === 'builtin' ? 'built-in' : engine}, ${jobsText(workers)}`],
  ];
}

function jobsText(workers: number): string {
  if (workers === 0) return 'runs no jobs (HEDDLE_WORKERS=0)';
  return workers === 1 ? 'one job at a time' : `${workers} jobs at a time`;
}
