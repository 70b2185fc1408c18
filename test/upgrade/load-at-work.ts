import { eventually } from '@heddle/testing-api';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import type pg from 'pg';
import { startClients } from '../chaos/campaign/run-campaign.ts';
import type { Site } from '../chaos/campaign/campaign-client.ts';
import { Journal } from '../chaos/campaign/journal.ts';

const WITHIN_MS = 60_000;

/** Clients that submit, cancel, upload, poll and stream during all builds */
export class LoadAtWork {
  readonly journal = new Journal();
  readonly random = new Random(seed);
  readonly #over = new AbortController();
  readonly #clients: readonly Promise<void>[];

  constructor(
    site: Site,
    private readonly owner: pg.Pool,
  ) {
    this.#clients = startClients(site, this.journal, this.random, this.#over.signal);
  }

  /** Resolves after this many new jobs were acknowledged and succeeded: the build serves. */
  async isServed(jobs: number, what: string): Promise<void> {
    const sql = `select count(*)::int as ended from jobs.job where status = 'succeeded'`;
    const ended = async (): Promise<number> => (await this.owner.query<{ ended: number }>(sql)).rows[0]?.ended ?? 0;
    const [before, acknowledged] = [await ended(), this.journal.acknowledgedJobs.length];
    await eventually(
      `${jobs} jobs under ${what}`,
      async () => (await ended()) >= before + jobs && this.journal.acknowledgedJobs.length >= acknowledged + jobs,
      WITHIN_MS,
    );
  }

  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#clients);
  }
}
