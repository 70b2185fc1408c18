import { setTimeout as delay } from 'node:timers/promises';
import { Sequencer } from '@heddle/platform-event-log';
import pg from 'pg';

/** Larger batches than in a service, because nobody waits for these events. */
const BATCH = 20_000;
const LOOK_MS = 100;

/**
 * Sequences the events while they are written, with the product's sequencer. It waits if the sequencer of a service holds the
 * lease.
 */
export class EventNumbering {
  readonly #pool: pg.Pool;
  readonly #sequencer: Sequencer;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'heddle-large-data' });
    // The server may end a connection during its stop, which is not a failure.
    this.#pool.on('error', () => undefined);
    this.#sequencer = new Sequencer({ pool: this.#pool, schema: 'jobs', batchSize: BATCH, netMs: LOOK_MS });
    this.#sequencer.start();
  }

  /** Resolves when every event is sequenced, or the signal aborts. */
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
