/** Which services a service calls: it needs a token for each of them. */
export const CALLED_SERVICES: Readonly<Record<string, readonly string[]>> = {
  gateway: ['jobs', 'assets', 'validation', 'logs'],
  jobs: ['jobs'],
  assets: ['jobs'],
  logs: ['jobs'],
  worker: ['jobs', 'assets', 'logs'],
  validation: [],
};

/** Services whose tokens open a call. */
export const GATEWAYS: readonly string[] = ['gateway'];
export const WORKERS: readonly string[] = ['worker'];
export const JOBS: readonly string[] = ['jobs'];
/** Services that keep what the events of jobs lead to. */
export const JOB_FOLLOWERS: readonly string[] = ['assets', 'logs'];
