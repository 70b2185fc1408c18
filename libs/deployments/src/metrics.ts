import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** `alpha`, `alpha.stg` of the stage staging, `managed` of the shared pool. */
const labelNames = ['deployment'] as const;
const maxSeries = 1_000;

/** For an autoscaler: read with each scrape. */
export const DEPLOYMENTS_METRICS = {
  waiting: {
    name: 'heddle_deployment_waiting',
    help: 'Jobs that wait in a deployment. At a gateway: 1 while it refuses submissions because there is no worker.',
    labelNames,
    maxSeries,
  },
  leased: { name: 'heddle_deployment_leased', help: 'Jobs of a deployment that workers hold.', labelNames, maxSeries },
  workers: {
    name: 'heddle_deployment_workers',
    help: 'Workers that poll for jobs of a deployment.',
    labelNames,
    maxSeries,
  },
  waitingWorkers: {
    name: 'heddle_lease_waiting_workers',
    help: 'Workers that wait at this replica for a lease of a deployment.',
    labelNames,
    maxSeries,
  },
  coldStart: {
    name: 'heddle_job_cold_start_seconds',
    help: 'Time that the first job waited for a worker of a deployment that had none.',
    labelNames,
    maxSeries,
    buckets: [1, 2.5, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 14400],
  },
  directoryAge: {
    name: 'heddle_deployment_directory_age_seconds',
    help: 'Time since the last answer of the jobs service about deployments, up to 5 while nothing changes; -1 before the first.',
  },
  status: {
    name: 'heddle_deployment_status',
    help: '1 for the status of a deployment.',
    labelNames: [...labelNames, 'status'],
    maxSeries,
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;
