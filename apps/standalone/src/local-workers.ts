import { openEngine } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { runWorker, startOnceReady } from '@heddle/composition/worker';
import type { WantedPool } from '@heddle/deployments';
import type { Worker, WorkerPorts } from '@heddle/worker';

/** Workers of one deployment and revision in this process. */
export type LocalWorkers = Pick<Worker, 'drain'>;

type Closed = () => unknown;

/**
 * Starts the workers of a pool, with an engine of their own unless their environment names that of the process. They poll
 * once their engine answers, since a deployment is ready by its workers. The engine ends after them.
 */
export async function startLocalWorkers(
  service: ServiceProcess,
  ports: WorkerPorts,
  pool: WantedPool,
): Promise<LocalWorkers> {
  const { deploymentId, environment, slots } = pool;
  const ends: Closed[] = [];
  const engine = await engineOf(service, ports, pool, ends);
  const leaving = new AbortController();
  const { revision } = environment;
  const started = startOnceReady(service, pool, engine, leaving.signal, () =>
    runWorker(service, { ...ports, engine }, { deploymentId, revision }, slots),
  );
  return {
    drain: async () => {
      leaving.abort();
      await (await started)?.drain();
      for (const end of ends) await end();
    },
  };
}

/** `ends`: gets what ends an engine that was opened here. */
async function engineOf(
  service: ServiceProcess,
  ports: WorkerPorts,
  { deploymentId, environment: { engine: asked, revision } }: WantedPool,
  ends: Closed[],
): Promise<WorkerPorts['engine']> {
  if (asked === service.settings.engine) return ports.engine;
  const engine = await openEngine({
    settings: { ...service.settings, engine: asked },
    addRefusals: (...kinds) => service.addRefusals(...kinds),
    onStop: (_, end) => void ends.push(end),
  });
  if ('watch' in engine)
    engine.watch(({ kind, ...news }) => {
      if (kind === 'away')
        service.logger.warn(
          { deploymentId, revision, engine: asked, ...news },
          'the engine of a deployment is away: its jobs wait',
        );
      if (kind === 'back')
        service.logger.info({ deploymentId, revision, engine: asked }, 'the engine of a deployment answers');
    });
  return engine;
}
