import { join } from 'node:path';
import { checkS3Server, installKafka } from '@heddle/local-servers';
import { newPlace, startServers, startTestCluster } from '@heddle/testing-cluster';
import type { ClusterPlace, SharedServers, TestCluster, TestClusterOptions } from '@heddle/testing-cluster';
import { afterAll, beforeAll, describe, it } from 'vitest';

/** Cache of downloaded and built servers */
export const CACHE = join(import.meta.dirname, '../../.cache');
/** Start time-out of the servers and every service on a busy machine */
const START_WITHIN_MS = 240_000;

export interface OnServers {
  readonly servers: SharedServers;
  readonly place: ClusterPlace;
}

export interface OnCluster extends OnServers {
  readonly cluster: TestCluster;
}

/**
 * Describes a scenario on its own real servers, which it may break. Without Java, Maven or Go it fails, or is skipped with
 * ALLOW_SKIP=1.
 */
export async function describeOnServers(name: string, story: (on: () => OnServers) => void): Promise<void> {
  const missing = process.env['ALLOW_SKIP'] === '1' ? await whatIsMissing() : null;
  describe(name, { timeout: 120_000 }, () => {
    if (missing !== null) return void it('runs on real servers', ({ skip }) => skip(missing));
    let on: OnServers | undefined;
    let servers: SharedServers | undefined;
    beforeAll(async () => {
      servers = await startServers({ ownPostgres: true });
      on = { servers, place: await newPlace(servers) };
    }, START_WITHIN_MS);
    afterAll(async () => {
      await on?.place.remove();
      await servers?.stop();
    }, START_WITHIN_MS);
    story(() => there(on));
  });
}

/** The same with every service running */
export async function describeOnCluster(
  name: string,
  options: TestClusterOptions,
  story: (on: () => OnCluster) => void,
): Promise<void> {
  await describeOnServers(name, (onServers) => {
    let cluster: TestCluster | undefined;
    beforeAll(async () => {
      cluster = await startTestCluster(onServers().place, options);
    }, START_WITHIN_MS);
    afterAll(() => cluster?.kill());
    story(() => ({ ...onServers(), cluster: there(cluster) }));
  });
}

function there<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('servers and cluster are there only while tests run');
  return thing;
}

async function whatIsMissing(): Promise<string | null> {
  try {
    await Promise.all([installKafka(CACHE), checkS3Server(CACHE)]);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
