import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, JobListQuery, JobPage, Principal } from '@heddle/contracts-messages';
import type { Pool, QueryConfig } from 'pg';
import { summaryOf } from '../get-job/job-row.js';
import type { SummaryRow } from '../get-job/job-row.js';
import { QueuePositions } from '../queue-position/queue-positions.js';
import { listPageSql } from './list-page.sql.js';
import { ListCursors } from './list-cursor.js';
import type { PageEnd } from './list-cursor.js';
import { JOBS_READS } from '../jobs-connections.js';

/** The job's columns are null in the only row of an empty page. */
interface PageRow extends SummaryRow {
  /** Where the walk ended early, because it found too few jobs; else null. */
  readonly edge_at: number | null;
  readonly edge_id: string | null;
}

/**
 * GET /api/v2/jobs. Newest first, ordered by (created_at, id), which never change, so each job present when the first
 * page was read appears exactly once, whatever is submitted meanwhile. One job more than requested shows whether this
 * is the last page. A page of rare jobs among many ends early, with a cursor, rather than late.
 */
@Injectable()
export class ListJobsHandler {
  constructor(
    @Inject(JOBS_READS) private readonly pool: Pool,
    private readonly cursors: ListCursors,
    private readonly positions: QueuePositions,
  ) {}

  async handle(principal: Principal, query: JobListQuery): Promise<Answer<JobPage>> {
    const end = query.cursor === null ? null : await this.cursors.decode(principal, query.cursor);
    if (query.cursor !== null && end === null) {
      return rejected(refuse('invalid_cursor', { case: 'cursor' }));
    }
    const { rows } = await this.pool.query<PageRow>(pageStatement(principal, query, end));
    const found = rows.filter((row) => row.id !== null);
    const jobs = found.slice(0, query.limit);
    const next = found.length > query.limit ? endOf(jobs.at(-1)!) : edgeOf(rows[0]!);
    const positions = await this.positions.of(jobs.filter((row) => row.status === 'queued').map((row) => row.id));
    return accepted({
      jobs: jobs.map((row) => summaryOf(row, positions)),
      nextCursor: next === null ? null : await this.cursors.encode(principal, next),
    });
  }
}

/**
 * Planning a page of several walks takes longer than walking, so the server caches plans of common shapes. Sets of
 * statuses have too many: a client could fill the server's memory with plans.
 */
function pageStatement(principal: Principal, query: JobListQuery, end: PageEnd | null): QueryConfig {
  const { text, values } = listPageSql(principal, query, end);
  const config = { text, values: [...values] };
  if (query.statuses.length > 1) return config;
  return { ...config, name: `list-${createHash('sha256').update(text).digest('base64url')}` };
}

function endOf(row: SummaryRow): PageEnd {
  return { createdAtMs: row.created_at, jobId: row.id };
}

function edgeOf({ edge_at, edge_id }: PageRow): PageEnd | null {
  return edge_at === null || edge_id === null ? null : { createdAtMs: edge_at, jobId: edge_id };
}
