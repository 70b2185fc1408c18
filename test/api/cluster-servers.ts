import { sharedShape, startCluster, startServer, SUITE_SETTINGS, topology } from './server-under-test.js';
import type { ServerUnderTest } from './server-under-test.js';
import { SHARED_SETTINGS, tellSharedServers } from './shared-server.js';
import type { SharedName } from './shared-server.js';

/** Several workers, so that a sleeping job of one block does not delay the others. A cluster has several anyway. */
const SLOTS: Readonly<Record<string, string>> = topology === 'cluster' ? {} : { HEDDLE_WORKERS: '4' };

/**
 * `globalSetup` of vitest: starts the shared servers of the API suite, and for clusters their infrastructure, for the whole
 * run. A spec that is run by hand starts its own.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    if (topology === 'cluster') {
      const { startServers } = await import('@heddle/testing-cluster');
      const servers = await startServers({ ownPostgres: false });
      stops.push(async () => await servers.stop());
      const { brokers, s3, objectsDir, ownerUrl } = servers;
      process.env['HEDDLE_TEST_SERVERS'] = JSON.stringify({ brokers, s3, objectsDir, ownerUrl });
    } else if (process.env['API_SUITE_SHARES'] !== '1') return undefined;
    const start = async (name: SharedName): Promise<ServerUnderTest> => {
      const env = { ...SUITE_SETTINGS, ...SLOTS, ...SHARED_SETTINGS[name] };
      const shape = sharedShape(env);
      const server = await (topology === 'cluster' ? startCluster(env, shape) : startServer(env, shape));
      stops.push(async () => await server.stop());
      return server;
    };
    const [plain, idle] = await Promise.all([start('plain'), start('idle')]);
    tellSharedServers({ plain, idle });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
