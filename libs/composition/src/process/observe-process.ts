import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { heddleVersion } from '@heddle/platform-telemetry/version';
import { collectDefaultMetrics } from 'prom-client';
import { PROCESS_METRICS } from '../metrics.js';

/** The standard metrics of a process (`process_*`, `nodejs_*`), and its version. */
export function observeProcess(metrics: MetricsRegistry): void {
  collectDefaultMetrics({ register: metrics });
  metrics.gauge(PROCESS_METRICS.buildInfo).set({ version: heddleVersion(), node: process.versions.node }, 1);
}
