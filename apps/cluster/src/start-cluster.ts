import { kafkaConnection, desiredTopics } from '@heddle/composition';

import { withFreePorts } from '@heddle/platform-database';
import { ensureTopics } from '@heddle/platform-message-bus/kafka';
import type { ClusterOptions, RunningCluster } from './cluster.js';
import { ClusterWatch } from './cluster-watch.js';
import { startInfrastructure } from './start-infrastructure.js';
import type { Infrastructure } from './infrastructure.js';
import { startServices } from './start-services.js';
import { Undo } from './undo.js';

/** Starts servers, topics and services in the order of their dependencies. */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const { settings, progress, signal } = options;
  const servers = new Undo((line) => progress.say(line));
  const watch = new ClusterWatch(options);
  try {
    const infrastructure = options.infrastructure ?? (await startServers(options, watch, servers));
    signal?.throwIfAborted();
    const connection = { ...kafkaConnection('heddle-cluster', settings), brokers: infrastructure.brokers };
    await progress.step('topics', async () => await ensureTopics(connection, desiredTopics(settings)));
    signal?.throwIfAborted();
    const given = settings.port === 0 ? [] : [settings.port];
    const services = await withFreePorts(given, async () => await startServices(options, infrastructure, watch));
    const stop = async (): Promise<ReadonlyMap<string, number | null>> => {
      const codes = await services.stop();
      await servers.run();
      return codes;
    };
    const kill = async (): Promise<void> => {
      await Promise.all(services.processes.map(async (one) => await one.destroy()));
      await stop();
    };
    return {
      url: services.url,
      registryUrl: services.registryUrl,
      infrastructure,
      processes: services.processes,
      stop,
      kill,
    };
  } catch (error) {
    await servers.run();
    throw error;
  }
}

async function startServers(options: ClusterOptions, watch: ClusterWatch, undo: Undo): Promise<Infrastructure> {
  const started = await startInfrastructure({ ...options, watch });
  undo.add(() => started.stop());
  watch.follow(started);
  return started;
}
