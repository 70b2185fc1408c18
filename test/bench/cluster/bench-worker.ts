import { openBus, readSettings, ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import type { LeaseRequest } from '@heddle/contracts-messages';
import type { Engine, EngineObserver, EngineOutcome, EngineRun } from '@heddle/engine-port';
import { RemoteLeases, RemoteWorkerAssets } from '@heddle/internal-api';
import { Worker, WORKER_DEFAULTS } from '@heddle/worker';
import { pause } from '../http-load.ts';

/** A run that began, and what the measure does with it. */
export interface BenchRun {
  /** performance.now() when the engine was told to run it. */
  readonly at: number;
  readonly observer: EngineObserver;
  end(): void;
}

/**
 * The real worker, with its real lines to jobs, assets and Kafka, over an engine that the measure plays: so the start of a
 * run and the moment of an event are told by the clock that also times the client.
 */
export interface BenchWorkers {
  nextRun(): Promise<BenchRun>;
  /** Resolves when every worker waits for work again. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** `env` is what a worker of the cluster is told; each worker has `slots`. */
export async function startBenchWorkers(
  env: Readonly<Record<string, string>>,
  { count, slots }: { readonly count: number; readonly slots: number },
): Promise<BenchWorkers> {
  const service = new ServiceProcess('worker', readSettings(env));
  const begun: BenchRun[] = [];
  const wanted: ((run: BenchRun) => void)[] = [];
  const engine = playedEngine((run) => {
    const taker = wanted.shift();
    if (taker === undefined) begun.push(run);
    else taker(run);
  });
  const { bus } = await openBus(service);
  let waiting = 0;
  const workers = Array.from({ length: count }, (_, index) => {
    const leases = new WatchedLeases(callerOf(service, 'jobs'), (change) => (waiting += change));
    const assets = new RemoteWorkerAssets(callerOf(service, 'assets'));
    const settings = { ...WORKER_DEFAULTS, slots, drainMs: 0 };
    const worker = new Worker({ engine, bus, leases, assets, tracer: null }, `bench-${index}`, settings);
    worker.start();
    return worker;
  });
  return {
    nextRun: () => {
      const run = begun.shift();
      return run === undefined ? new Promise((resolve) => wanted.push(resolve)) : Promise.resolve(run);
    },
    idle: async () => {
      while (waiting < count) await pause(1);
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.drain()));
      await service.stop();
    },
  };
}

class WatchedLeases extends RemoteLeases {
  readonly #changed: (change: number) => void;

  constructor(caller: ConstructorParameters<typeof RemoteLeases>[0], changed: (change: number) => void) {
    super(caller);
    this.#changed = changed;
  }

  override async acquire(request: LeaseRequest, signal: AbortSignal): ReturnType<RemoteLeases['acquire']> {
    this.#changed(1);
    try {
      return await super.acquire(request, signal);
    } finally {
      this.#changed(-1);
    }
  }
}

function playedEngine(began: (run: BenchRun) => void): Engine {
  return {
    environment: 'bench',
    objectInfo: () => Promise.resolve('{}'),
    close: () => Promise.resolve(),
    run: (_: EngineRun, observer, signal) =>
      new Promise<EngineOutcome>((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'interrupted' }), { once: true });
        began({ at: performance.now(), observer, end: () => resolve({ kind: 'succeeded' }) });
      }),
  };
}
