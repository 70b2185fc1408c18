import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/observability.md', import.meta.url);

/** Names of Heddle's metrics in the documentation. */
export function documentedMetrics(): readonly string[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(/^\| `(heddle_\w+)`/gm)].map(([, name]) => name!);
}

/** Some standard metrics of every Node process */
export const STANDARD_METRICS = [
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_used_bytes',
  'nodejs_gc_duration_seconds',
  'nodejs_version_info',
];
