import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { heddleCommit, heddleVersion } from '@heddle/platform-telemetry/version';
import { collectDefaultMetrics } from 'prom-client';
import { PROCESS_METRICS } from '../metrics.js';

/** The standard metrics of a process (`process_*`, `nodejs_*`), and its build. */
export function observeProcess(metrics: MetricsRegistry): void {
  collectDefaultMetrics({ register: metrics });
  const build = { version: heddleVersion(), commit: heddleCommit(), node: process.versions.node };
  metrics.gauge(PROCESS_METRICS.buildInfo).set(build, 1);
}
