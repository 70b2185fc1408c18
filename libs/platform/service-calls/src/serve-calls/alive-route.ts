import type { PlainRoute } from './call-route.js';

/** Answered by every service that takes calls, to every service of the deployment. */
export const ALIVE_PATH = '/internal/v1/alive';
const EVERYBODY: readonly string[] = ['gateway', 'worker', 'jobs', 'assets', 'validation', 'logs'];

/** Says that the service takes calls and believes the caller; what it waits for itself is told by its own probe. */
export const aliveRoute: PlainRoute = {
  kind: 'plain',
  path: ALIVE_PATH,
  openTo: EVERYBODY,
  handle: () => Promise.resolve({ head: null }),
};
