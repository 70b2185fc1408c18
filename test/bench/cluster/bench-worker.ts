import { readSettings, ServiceProcess } from '@heddle/composition';
import { callerOf } from '@heddle/composition/call-services';
import { workerPoolOf, workOf } from '@heddle/composition/call-work';
import type { WorkPort } from '@heddle/contracts-messages';
import type { Engine, EngineObserver, EngineOutcome, EngineRun } from '@heddle/engine-port';
import { RemoteWorkerAssets } from '@heddle/internal-api';
import { Worker, WorkerSettings } from '@heddle/worker';
import { pause } from '../http-load.ts';

/** A run that began, controlled by the measurement */
export interface BenchRun {
  /** performance.now() when the engine received the run */
  readonly at: number;
  readonly observer: EngineObserver;
  end(): void;
}

/**
 * The real worker with real connections to jobs and assets, and an engine that the measurement plays. So one clock measures
 * the start of a run, the events and the client.
 */
export interface BenchWorkers {
  nextRun(): Promise<BenchRun>;
  /** Resolves when every worker waits for work. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** `env`: environment of a cluster's worker. Each worker has `slots`. */
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
  const offers = new Map<number, number>();
  const workers = Array.from({ length: count }, (_, index) => {
    const work = watched(workOf(service), (slots) => offers.set(index, slots));
    const assets = new RemoteWorkerAssets(callerOf(service, 'assets').bytes);
    const settings = new WorkerSettings({ slots, drainMs: 0 });
    const worker = new Worker(
      { engine, work, assets, tracer: null },
      `bench-${index}`,
      workerPoolOf(service),
      settings,
    );
    worker.start();
    return worker;
  });
  return {
    nextRun: () => {
      const run = begun.shift();
      return run === undefined ? new Promise((resolve) => wanted.push(resolve)) : Promise.resolve(run);
    },
    idle: async () => {
      while ([...offers.values()].filter((slots) => slots > 0).length < count) await pause(1);
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.drain()));
      await service.stop();
    },
  };
}

/** Reports the slots that the worker offers. */
function watched(work: WorkPort, offered: (slots: number) => void): WorkPort {
  return {
    open: (worker, listener) => {
      const session = work.open(worker, {
        ...listener,
        leases: (leases) => {
          offered(0);
          listener.leases(leases);
        },
      });
      return {
        offer: (slots) => {
          offered(slots);
          session.offer(slots);
        },
        heartbeat: (leases) => session.heartbeat(leases),
        report: (reports) => session.report(reports),
        show: (report) => session.show(report),
        handBack: (lease) => session.handBack(lease),
        close: () => session.close(),
      };
    },
  };
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
