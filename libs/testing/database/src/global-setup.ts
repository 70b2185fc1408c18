import { sharedServerUrl } from './fresh-database.js';

/**
 * For vitest's `globalSetup`: the runner's main process uses the shared server for the whole run, so that workers find
 * it running, and it stops with the runner.
 */
export async function setup(): Promise<void> {
  await sharedServerUrl();
}
