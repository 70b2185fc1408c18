/** The services that each service may call; it needs a token for each of them. */
export const CALLED_SERVICES: Readonly<Record<string, readonly string[]>> = {
  gateway: ['jobs', 'assets', 'validation', 'logs', 'registry'],
  jobs: ['jobs'],
  assets: ['jobs'],
  logs: ['jobs'],
  worker: ['jobs', 'assets', 'logs'],
  validation: ['jobs', 'registry'],
  registry: ['jobs'],
};

/** Services whose tokens are accepted for a call. */
export const GATEWAYS: readonly string[] = ['gateway'];
export const WORKERS: readonly string[] = ['worker'];
export const VALIDATION: readonly string[] = ['validation'];
export const REGISTRIES: readonly string[] = ['registry'];
export const JOBS: readonly string[] = ['jobs'];
/** Services that store data derived from job events. */
export const JOB_FOLLOWERS: readonly string[] = ['assets', 'logs'];
