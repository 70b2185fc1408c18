import { mkdir } from 'node:fs/promises';
import { checkS3Server, requireJava } from '@heddle/local-servers';
import type { InfrastructureOptions, StartedInfrastructure, StartedPart } from './infrastructure.js';
import { startBrokers } from './servers/start-brokers.js';
import { startDatabase } from './servers/start-database.js';
import { startStore } from './servers/start-store.js';

/**
 * Uses the servers named in the settings; runs the others here as supervised processes. In parallel: the first run
 * downloads and builds.
 */
export async function startInfrastructure(options: InfrastructureOptions): Promise<StartedInfrastructure> {
  await checkPrerequisites(options);
  await mkdir(options.dataDir, { recursive: true });
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> =>
    void (await Promise.allSettled(stops.splice(0).map(async (step) => await step())));
  const started = async <Facts>(starting: Promise<StartedPart<Facts>>): Promise<StartedPart<Facts>> => {
    const part = await starting;
    stops.push(async () => await part.stop());
    return part;
  };
  const parts = [
    started(startDatabase(options)),
    started(startBrokers(options)),
    started(startStore(options)),
  ] as const;
  await Promise.allSettled(parts);
  try {
    const [database, kafka, store] = await Promise.all(parts);
    return {
      databaseUrls: database.facts,
      brokers: kafka.facts,
      s3: store.facts,
      servers: [...database.servers, ...kafka.servers, ...store.servers],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reports missing prerequisites of this machine before anything starts. */
async function checkPrerequisites({ settings, cacheDir }: InfrastructureOptions): Promise<void> {
  if (settings.kafkaBrokers.length === 0) await requireJava();
  if (settings.s3Endpoint === null) await checkS3Server(cacheDir);
}
