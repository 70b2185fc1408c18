import { openEngine } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { runWorker } from '@heddle/composition/worker';
import type { WantedPool } from '@heddle/deployments';
import { shownUrl } from '@heddle/platform-settings';
import { startOnceReady } from '@heddle/worker';
import type { Worker, WorkerPorts } from '@heddle/worker';

/** Workers of one deployment and revision in this process. */
export interface LocalWorkers extends Pick<Worker, 'drain'> {
  /** Why they do not poll yet; null once they do. */
  waitsFor(): string | null;
}

type Closed = () => unknown;

/**
 * Starts the workers of a pool, with an engine of their own unless their environment names that of the process. They
 * poll once their engine answers, since a deployment is ready by its workers. The engine ends after them.
 */
export async function startLocalWorkers(
  service: ServiceProcess,
  ports: WorkerPorts,
  pool: WantedPool,
): Promise<LocalWorkers> {
  const { deploymentId, environment, slots } = pool;
  const ends: Closed[] = [];
  let away: string | null = null;
  const engine = await engineOf(service, ports, pool, { ends, onChange: (reason) => (away = reason) });
  const leaving = new AbortController();
  const { revision } = environment;
  let polls = false;
  const started = startOnceReady(service, pool, engine, leaving.signal, () => {
    polls = true;
    return runWorker(service, { ...ports, engine }, { deploymentId, revision }, slots);
  });
  return {
    waitsFor: () => (polls || environment.engine === 'builtin' ? null : awayText(environment.engine, away)),
    drain: async () => {
      leaving.abort();
      await (await started)?.drain();
      for (const end of ends) await end();
    },
  };
}

function awayText(engine: string, reason: string | null): string {
  const seen = reason === null ? '' : ` (${reason})`;
  return `the engine at ${shownUrl(engine)} does not answer as an engine${seen}: start it there, or repin the address of one that runs`;
}

/** An engine that was opened here: what ends it, and why it is unreachable. */
interface OwnEngine {
  readonly ends: Closed[];
  readonly onChange: (awayBecause: string | null) => void;
}

async function engineOf(
  service: ServiceProcess,
  ports: WorkerPorts,
  { deploymentId, environment: { engine: asked, revision } }: WantedPool,
  { ends, onChange }: OwnEngine,
): Promise<WorkerPorts['engine']> {
  if (asked === service.settings.engine) return ports.engine;
  const engine = await openEngine({
    settings: { ...service.settings, engine: asked },
    addRefusals: (...kinds) => service.addRefusals(...kinds),
    onStop: (_, end) => void ends.push(end),
  });
  if ('watch' in engine)
    engine.watch(({ kind, ...change }) => {
      onChange('reason' in change ? change.reason : null);
      if (kind === 'away')
        service.logger.warn(
          { deploymentId, revision, engine: asked, ...change },
          'the engine of a deployment is unreachable: its jobs wait',
        );
      if (kind === 'back')
        service.logger.info({ deploymentId, revision, engine: asked }, 'the engine of a deployment answers');
    });
  return engine;
}
