// The Grafana dashboard of the chart, as code: a panel is a title, a unit and its expressions.

export const DASHBOARD_FILE = 'charts/heddle/dashboards/heddle.json';

/** What Grafana shows numbers in. */
export type PanelUnit = 's' | 'short' | 'reqps' | 'percentunit' | 'bytes';

export interface Panel {
  readonly title: string;
  readonly unit: PanelUnit;
  /** Expressions by the legend of their series */
  readonly series: Readonly<Record<string, string>>;
}

const rate = (metric: string): string => `rate(${metric}[$__rate_interval])`;
const quantile = (q: number, metric: string): string =>
  `histogram_quantile(${q}, sum by (le) (${rate(`${metric}_bucket`)}))`;

export const PANELS: readonly Panel[] = [
  {
    title: 'Requests by status',
    unit: 'reqps',
    series: { '{{status}}': `sum by (status) (${rate('heddle_http_requests_total')})` },
  },
  { title: 'Share of 5xx', unit: 'percentunit', series: { errors: 'heddle:http_errors:ratio_rate5m' } },
  {
    title: 'Duration of requests',
    unit: 's',
    series: {
      p50: quantile(0.5, 'heddle_http_request_duration_seconds'),
      p99: quantile(0.99, 'heddle_http_request_duration_seconds'),
    },
  },
  { title: 'Jobs', unit: 'short', series: { waiting: 'max(heddle_jobs_queued)', running: 'max(heddle_jobs_running)' } },
  {
    title: 'Wait for a worker',
    unit: 's',
    series: { p50: quantile(0.5, 'heddle_job_queue_seconds'), p95: quantile(0.95, 'heddle_job_queue_seconds') },
  },
  {
    title: 'Ended jobs per second',
    unit: 'short',
    series: { '{{status}}': `sum by (status) (${rate('heddle_jobs_ended_total')})` },
  },
  {
    title: 'Deployments',
    unit: 'short',
    series: {
      '{{deployment}} waiting': 'max by (deployment) (heddle_deployment_waiting)',
      '{{deployment}} leased': 'max by (deployment) (heddle_deployment_leased)',
      '{{deployment}} workers': 'max by (deployment) (heddle_deployment_workers)',
    },
  },
  {
    title: 'Workers that wait for a job',
    unit: 'short',
    series: { '{{deployment}}': 'sum by (deployment) (heddle_lease_waiting_workers)' },
  },
  {
    title: 'Cold starts (p95 of an hour)',
    unit: 's',
    series: { '{{deployment}}': 'heddle:job_cold_start_seconds:p95_1h' },
  },
  {
    title: 'Jobs past a deadline',
    unit: 'short',
    series: { '{{deadline}}': 'max by (deadline) (heddle_jobs_overdue)' },
  },
  {
    title: 'Lag of the log',
    unit: 's',
    series: { sequencer: 'max(heddle_sequencer_lag_seconds)', relay: 'max(heddle_relay_lag_seconds)' },
  },
  // Few at a time: a rate per second would hide how many.
  {
    title: 'Leases that expired',
    unit: 'short',
    series: { expired: 'sum(increase(heddle_leases_expired_total[$__rate_interval]))' },
  },
  { title: 'Open event streams', unit: 'short', series: { '{{pod}}': 'sum by (pod) (heddle_sse_streams)' } },
  {
    title: 'Queries that wait for a connection',
    unit: 'short',
    series: { '{{service}}': 'max by (service) (heddle_db_pool_waiting)' },
  },
  {
    title: 'Calls of the store of bytes',
    unit: 'reqps',
    series: {
      '{{operation}} {{outcome}}': `sum by (operation, outcome) (${rate('heddle_blob_store_duration_seconds_count')})`,
    },
  },
  {
    title: 'Time until certificates and tokens expire',
    unit: 's',
    series: {
      certificates: 'min(heddle_certificate_left_seconds)',
      'tokens for {{audience}}': 'min by (audience) (heddle_service_token_left_seconds)',
    },
  },
  {
    title: 'Versions',
    unit: 'short',
    series: { '{{version}} {{commit}}': 'count by (version, commit) (heddle_build_info)' },
  },
];

const WIDTH = 8;
const HEIGHT = 8;
const COLUMNS = 3;

export function dashboardFile(): string {
  const datasource = { type: 'prometheus', uid: '${datasource}' };
  const panels = PANELS.map(({ title, unit, series }, at) => ({
    id: at + 1,
    type: 'timeseries',
    title,
    datasource,
    gridPos: { x: (at % COLUMNS) * WIDTH, y: Math.floor(at / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(series).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      expr,
      legendFormat,
    })),
  }));
  const variable = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' };
  const dashboard = {
    uid: 'heddle',
    title: 'Heddle',
    tags: ['heddle'],
    schemaVersion: 42,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [variable] },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 1)}\n`;
}
