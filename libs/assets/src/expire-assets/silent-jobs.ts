import { Inject, Injectable } from '@nestjs/common';
import { JOB_LOG_PORT, MAX_ASKED_JOBS, NIL_UUID } from '@heddle/contracts-messages';
import type { JobHoldings, JobId, JobLogPort } from '@heddle/contracts-messages';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { CONFIRM_OUTPUTS, END_JOBS } from '../follow-jobs/follow-jobs.sql.js';
import { FIRM_HOLDS, DELETE_UNKNOWN_JOBS, SILENT_JOBS } from './silent-jobs.sql.js';
import type { SilentJobRow } from './silent-jobs.sql.js';

const BEFORE_ALL = NIL_UUID;

/**
 * Resolves holds and outputs that no message has named for a long time by asking the jobs service: silence proves
 * nothing, because a message may have been lost. If a job ended without an output, the output belongs to nobody;
 * nothing of a running job is deleted.
 */
@Injectable()
export class SilentJobs {
  /** Jobs missing from the log, and since when by this process's clock. */
  #unknown: ReadonlyMap<JobId, number> = new Map();

  constructor(
    private readonly database: AssetsDatabase,
    @Inject(JOB_LOG_PORT) private readonly jobLog: JobLogPort,
    private readonly settings: AssetsSettings,
  ) {}

  /** @throws errors of the call to the jobs service: then nothing in question is deleted. */
  async run(): Promise<void> {
    const { unconfirmedOutputMs, provisionalHoldMs, sweepBatch } = this.settings;
    const limit = Math.min(sweepBatch, MAX_ASKED_JOBS);
    const unknown = new Map<JobId, number>();
    for (let behind: string = BEFORE_ALL; ;) {
      const values = [behind, limit, unconfirmedOutputMs, provisionalHoldMs];
      const jobs = (await this.database.query<SilentJobRow>(SILENT_JOBS, values)).map((row) => row.job_id);
      if (jobs.length > 0) await this.#settle(jobs, unknown);
      if (jobs.length < limit) break;
      behind = jobs.at(-1)!;
    }
    this.#unknown = unknown;
  }

  async #settle(jobs: readonly JobId[], unknown: Map<JobId, number>): Promise<void> {
    const known = await this.jobLog.holdingsOf(jobs);
    const all = [...known];
    const [ofAll, assets] = pairsOf(all);
    const ended = all.filter(([, { ended: is }]) => is).map(([jobId]) => jobId);
    const open = all.filter(([, { ended: is }]) => !is).map(([jobId]) => jobId);
    if (ended.length > 0) await this.database.query(END_JOBS, [ofAll, assets, ended, ended]);
    else if (assets.length > 0) await this.database.query(CONFIRM_OUTPUTS, [ofAll, assets]);
    if (open.length > 0) await this.database.query(FIRM_HOLDS, [open]);
    const lost = this.#missingForLong(
      jobs.filter((jobId) => !known.has(jobId)),
      unknown,
    );
    if (lost.length > 0) await this.database.query(DELETE_UNKNOWN_JOBS, [lost]);
  }

  /**
   * The jobs missing from the log for a while, by the process's monotonic clock. When a database clock that was an hour
   * slow is corrected, a hold of a submission in progress looks an hour old.
   */
  #missingForLong(jobs: readonly JobId[], unknown: Map<JobId, number>): JobId[] {
    const { unconfirmedOutputMs, provisionalHoldMs, sweepPatienceMs } = this.settings;
    const patienceMs = Math.min(unconfirmedOutputMs, provisionalHoldMs, sweepPatienceMs);
    const now = performance.now();
    for (const jobId of jobs) unknown.set(jobId, this.#unknown.get(jobId) ?? now);
    return jobs.filter((jobId) => now - unknown.get(jobId)! >= patienceMs);
  }
}

/** Two columns: the job of each output, and the output. */
function pairsOf(known: readonly (readonly [JobId, JobHoldings])[]): readonly [JobId[], string[]] {
  const pairs = known.flatMap(([jobId, { outputAssetIds }]) =>
    outputAssetIds.map((assetId) => [jobId, assetId] as const),
  );
  return [pairs.map(([jobId]) => jobId), pairs.map(([, assetId]) => assetId)];
}
