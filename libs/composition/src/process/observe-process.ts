import { readFileSync } from 'node:fs';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { collectDefaultMetrics } from 'prom-client';
import { PROCESS_METRICS } from '../metrics.js';

/** The standard metrics of a process (`process_*`, `nodejs_*`), and its version. */
export function observeProcess(metrics: MetricsRegistry): void {
  collectDefaultMetrics({ register: metrics });
  metrics.gauge(PROCESS_METRICS.buildInfo).set({ version: heddleVersion(), node: process.versions.node }, 1);
}

function heddleVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
