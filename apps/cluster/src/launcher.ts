import type { Settings } from '@heddle/composition';
import { onStopSignal } from '@heddle/platform-telemetry/stop-signals';
import type { Progress } from './progress/progress.js';
import { startCluster } from './start-cluster.js';
import type { ClusterOptions, ClusterView } from './cluster.js';
import { removeState, writeState } from './status/cluster-state.js';

/** Gateways, workers and the services that they call stop one after the other. */
const STOPS = 3;
/** For the servers, and for processes that do not stop by themselves. */
const STOP_MARGIN_MS = 26_500;
/** A repeated signal within this time is the same one, sent to the process and to its group. */
const SAME_SIGNAL_MS = 1_000;

type Start = Omit<ClusterOptions, 'onChange' | 'onGiveUp' | 'signal'>;

/** Runs a cluster: starts it, writes its state, and stops on request or when a process is given up. */
export class Launcher {
  readonly #stopping = new AbortController();
  readonly #startedAt = new Date().toISOString();
  #running: ReturnType<typeof startCluster> | null = null;
  #view: ClusterView | null = null;
  #url: string | null = null;
  #stoppingSince: number | null = null;
  #gaveUp: string | null = null;

  constructor(
    private readonly dataDir: string,
    private readonly settings: Settings,
    private readonly progress: Progress,
  ) {
    this.#write();
  }

  stopOnSignals(): void {
    onStopSignal(() => this.#askedToStop());
  }

  async run(start: Start): Promise<void> {
    this.#running = startCluster({
      ...start,
      signal: this.#stopping.signal,
      onChange: (view) => {
        this.#view = view;
        this.#write();
      },
      onGiveUp: (reason) => this.#giveUp(reason),
    });
    try {
      const { url, registryUrl } = await this.#running;
      this.#url = url;
      this.#write();
      if (this.#stoppingSince === null)
        process.stdout.write(`heddle ready ${url}\nheddle registry ready ${registryUrl}\n`);
    } catch (error) {
      // A stop was requested meanwhile, and ends it.
      if (this.#stoppingSince !== null) return;
      removeState(this.dataDir);
      throw error;
    }
  }

  #askedToStop(): void {
    // A second signal: processes end with this one.
    if (this.#stoppingSince !== null && performance.now() - this.#stoppingSince > SAME_SIGNAL_MS) process.exit(1);
    this.#stop();
  }

  #giveUp(reason: string): void {
    this.#gaveUp ??= reason;
    this.progress.say(reason);
    this.#stop();
  }

  #stop(): void {
    if (this.#stoppingSince !== null) return;
    this.#stoppingSince = performance.now();
    this.progress.say('stopping');
    this.#stopping.abort(new Error('stopped while it started'));
    setTimeout(() => this.#end(1), STOPS * this.settings.stop * 1_000 + STOP_MARGIN_MS).unref();
    void this.#stopped().then(
      () => this.#end(this.#gaveUp === null ? 0 : 1),
      () => this.#end(1),
    );
  }

  async #stopped(): Promise<void> {
    // An aborted start has stopped what it had started.
    const cluster = await this.#running?.catch(() => null);
    await cluster?.stop();
  }

  #end(code: number): never {
    if (this.#gaveUp === null) removeState(this.dataDir);
    else this.#write();
    process.exit(code);
  }

  #write(): void {
    const { databaseUrl } = this.settings;
    writeState(this.dataDir, {
      pid: process.pid,
      url: this.#url,
      startedAt: this.#startedAt,
      databaseUrl: databaseUrl === null ? null : withoutPassword(databaseUrl),
      brokers: this.#view?.infrastructure.brokers ?? [],
      s3Endpoint: this.#view?.infrastructure.s3.endpoint ?? null,
      processes: this.#view?.processes ?? [],
      ended: this.#gaveUp,
    });
  }
}

function withoutPassword(databaseUrl: string): string | null {
  if (!URL.canParse(databaseUrl)) return null;
  const url = new URL(databaseUrl);
  url.password = '';
  return url.href;
}
