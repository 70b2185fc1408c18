import { HeddleClient } from '@heddle/testing-api';
import { NotStarted, startStandalone } from '@heddle/testing-standalone';
import type { Ending, Standalone } from '@heddle/testing-standalone';

/** Time-out of one test: several starts of a service on a busy machine. */
export const TEST_TIMEOUT_MS = 180_000;

type Settings = Readonly<Record<string, string>>;

/** Limits that are not under test are raised, and sweeps run soon after a crash. */
const SETTINGS: Settings = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_LOG_LEVEL: 'info',
  HEDDLE_QUEUE_DEPTH_ACCOUNT: '100000',
  HEDDLE_QUEUE_DEPTH: '100000',
  HEDDLE_READ_RATE: '1000000',
  HEDDLE_READ_BURST: '1000000',
  HEDDLE_LEASE_S: '1.5',
  HEDDLE_RETRY_DELAY_S: '0.05',
  HEDDLE_MAX_ATTEMPTS: '20',
};

/** One data directory and one address for a series of killed and restarted processes */
export class HeddleUnderFire {
  private constructor(
    readonly client: HeddleClient,
    private readonly settings: Settings,
    private readonly first: Standalone,
    private current: Standalone,
  ) {}

  static async start(settings: Settings = {}): Promise<HeddleUnderFire> {
    const process = await startStandalone({ env: { ...SETTINGS, ...settings } });
    const token = settings['HEDDLE_BOOTSTRAP_KEY'];
    const client = await HeddleClient.connect(process.url, token === undefined ? {} : { token });
    return new HeddleUnderFire(client, settings, process, process);
  }

  /** The key of the account that it makes at its first start; undefined on the surface without keys. */
  get token(): string | undefined {
    return this.settings['HEDDLE_BOOTSTRAP_KEY'];
  }

  get url(): string {
    return this.current.url;
  }

  get dataDir(): string {
    return this.current.dataDir;
  }

  get process(): Standalone {
    return this.current;
  }

  /** Starts the next process on the same data and port, after the former one ended. Resolves with its start time in ms. */
  async startAgain(settings: Settings = {}): Promise<number> {
    const started = performance.now();
    const { dataDir, port } = this.current;
    this.current = await startStandalone({ env: { ...SETTINGS, ...this.settings, ...settings }, dataDir, port });
    return performance.now() - started;
  }

  /** Resolves with how the process ended, within the time; also if it ended before it was ready. */
  async ending(started: Promise<unknown>, withinMs: number): Promise<Ending> {
    try {
      await started;
    } catch (error) {
      if (error instanceof NotStarted) return error.ending;
      throw error;
    }
    return within('the end of the process', this.current.ended, withinMs);
  }

  /** The status of `/readyz`; null without an answer. */
  async readiness(): Promise<number | null> {
    return fetch(`${this.current.opsUrl}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.status,
      () => null,
    );
  }

  async stop(): Promise<void> {
    await this.current.stop();
    await this.first.stop();
  }
}

/** Rejects if the promise is not settled in time. */
export async function within<Result>(what: string, promise: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} did not come within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
