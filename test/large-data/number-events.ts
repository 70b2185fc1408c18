import { setTimeout as delay } from 'node:timers/promises';
import { Sequencer } from '@heddle/platform-event-log';
import pg from 'pg';

/** Fewer, larger turns than a service takes: nobody waits for the hints of these events. */
const BATCH = 20_000;
const LOOK_MS = 100;

/**
 * Gives the events their numbers while they are written: by the product's own sequencer, which stands back where a service's
 * holds the lease.
 */
export class EventNumbering {
  readonly #pool: pg.Pool;
  readonly #sequencer: Sequencer;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'heddle-large-data' });
    // A connection that the server ends last of all, while it stops, is no failure.
    this.#pool.on('error', () => undefined);
    this.#sequencer = new Sequencer({ pool: this.#pool, schema: 'jobs', batchSize: BATCH, netMs: LOOK_MS });
    this.#sequencer.start();
  }

  /** Resolves when every event has its number, or the signal says to stop. */
  async finish(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.#waiting())) {
      this.#sequencer.look();
      await delay(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    await this.#sequencer.stop();
    await this.#pool.end();
  }

  async #waiting(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ waiting: boolean }>(`select exists (
      select from jobs.event e, jobs.seq_cursor c where (e.txid, e.position) > (c.txid, c.position)
    ) or exists (select from jobs.event_held) as waiting`);
    return rows[0]!.waiting;
  }
}
