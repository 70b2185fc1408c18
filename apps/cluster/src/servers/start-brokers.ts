import { join } from 'node:path';
import { startKafka } from '@heddle/local-servers';
import type { InfrastructureOptions, StartedPart } from '../infrastructure.js';
import { ProcessLives } from '../supervise/process-lives.js';
import { SupervisedServer } from '../supervise/supervised-server.js';

/** Starts Apache Kafka as local processes, unless the settings name brokers. */
export async function startBrokers(options: InfrastructureOptions): Promise<StartedPart<readonly string[]>> {
  const { settings, dataDir, cacheDir, brokers, progress, watch, signal } = options;
  if (settings.kafkaBrokers.length > 0)
    return { facts: settings.kafkaBrokers, servers: [], stop: () => Promise.resolve() };
  let supervised: readonly SupervisedServer[] = [];
  const kafka = await progress.step('Apache Kafka', async (note) =>
    startKafka({
      cacheDir,
      dataDir: join(dataDir, 'kafka'),
      brokers,
      onProgress: note,
      onEnded: (broker, how) => supervised[broker]?.ended(how),
      ...(signal && { signal }),
    }),
  );
  supervised = kafka.brokers.map((address, at) => {
    const place = {
      name: `kafka-${at + 1}`,
      logFile: kafka.logs[at]!,
      port: Number(address.split(':').at(-1)),
      callsPort: null,
      opsPort: null,
    };
    return new SupervisedServer(new ProcessLives(place, watch), {
      start: async () => await kafka.start(at),
      stop: async () => await kafka.stopOne(at),
      pid: () => kafka.pid(at),
    });
  });
  return {
    facts: kafka.brokers,
    servers: supervised.map(({ lives }) => lives),
    stop: async () => {
      await Promise.all(supervised.map(async (broker) => await broker.stop()));
      await kafka.stop();
    },
  };
}
