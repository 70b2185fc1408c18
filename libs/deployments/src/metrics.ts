import type { MetricDeclaration } from '@heddle/platform-telemetry';

const labelNames = ['deployment', 'stage'];

/** For an autoscaler: read with each scrape. */
export const DEPLOYMENTS_METRICS = {
  waiting: { name: 'heddle_deployment_waiting', help: 'Jobs that wait in a deployment.', labelNames },
  leased: { name: 'heddle_deployment_leased', help: 'Jobs of a deployment that workers hold.', labelNames },
  workers: { name: 'heddle_deployment_workers', help: 'Workers of a deployment that poll.', labelNames },
  directoryAge: {
    name: 'heddle_deployment_directory_age_seconds',
    help: 'Time since the last answer of the jobs service about deployments, up to 5 while nothing changes; -1 before the first.',
  },
  status: {
    name: 'heddle_deployment_status',
    help: '1 for the status of a deployment.',
    labelNames: [...labelNames, 'status'],
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;
