import { Injectable } from '@nestjs/common';
import { cutLogText } from '@heddle/contracts-messages';
import type { CapturedLog, CaptureVerdict, LeaseHolder } from '@heddle/contracts-messages';
import { logsFailpoint } from '../failpoints.js';
import { LogsDatabase } from '../logs-database.js';
import { LogsMetrics } from '../logs-metrics.js';
import { CAPTURE_LOG } from './capture-log.sql.js';
import type { CaptureRow } from './capture-log.sql.js';

/** Stores the end of an attempt's output. */
@Injectable()
export class CaptureLogHandler {
  constructor(
    private readonly database: LogsDatabase,
    private readonly metrics: LogsMetrics,
  ) {}

  async handle(log: CapturedLog, holder: LeaseHolder): Promise<CaptureVerdict> {
    const { jobId, fence, complete, endedAs } = log;
    const { bytes, isCut } = cutLogText(log.text);
    logsFailpoint('logs.capture.before-statement');
    const { rows } = await this.database.pool.query<CaptureRow>({
      ...CAPTURE_LOG,
      values: [
        jobId,
        holder.accountId,
        holder.deploymentId,
        fence,
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        log.truncated || isCut,
        complete,
        holder.jobExpiresAt,
        endedAs,
      ],
    });
    logsFailpoint('logs.capture.after-commit');
    const { kept = false, known = false } = rows[0] ?? {};
    if (kept) this.metrics.kept(bytes.length);
    else if (!known) this.metrics.late();
    return kept ? 'kept' : known ? 'known' : 'late';
  }
}
