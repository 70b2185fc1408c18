import { REPLICAS, startCluster, SUITE_SETTINGS } from './server-under-test.js';

/**
 * For `globalSetup` of vitest: where the API suite runs on clusters, the servers that all of them stand on, and the cluster
 * that blocks without settings of their own share, live as long as the run. Its workers are told by the environment.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['HEDDLE_TEST_TOPOLOGY'] !== 'cluster') return undefined;
  const { startServers } = await import('@heddle/testing-cluster');
  const servers = await startServers({ ownPostgres: false });
  try {
    const { brokers, s3, objectsDir, ownerUrl } = servers;
    process.env['HEDDLE_TEST_SERVERS'] = JSON.stringify({ brokers, s3, objectsDir, ownerUrl });
    const shared = await startCluster(SUITE_SETTINGS, REPLICAS, servers);
    process.env['HEDDLE_TEST_SHARED_URL'] = shared.url;
    return async () => {
      await shared.stop();
      await servers.stop();
    };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}
