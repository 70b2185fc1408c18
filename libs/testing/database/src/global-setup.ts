import { sharedServerUrl } from './fresh-database.js';

/**
 * For `globalSetup` of vitest: the runner's main process uses the shared server for the whole run, so the workers find it
 * running, and it stops when the runner ends.
 */
export async function setup(): Promise<void> {
  await sharedServerUrl();
}
