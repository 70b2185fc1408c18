import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { METRICS } from '@heddle/platform-telemetry';
import type { MetricsRegistry } from '@heddle/platform-telemetry';

/** Version, memory, CPU and event-loop delay of this process, read when the metrics are scraped. */
export function observeProcess(metrics: MetricsRegistry): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauge(...METRICS.buildInfo).set(1, { version: heddleVersion(), node: process.versions.node });
  metrics.gauge(...METRICS.eventLoopDelay, () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return seconds;
  });
  metrics.gauge(...METRICS.residentBytes, () => process.memoryUsage.rss());
  metrics.counter(...METRICS.cpuSeconds, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function heddleVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
