import type { Provider } from '@nestjs/common';
import { IngestReportsHandler } from './ingest-reports.handler.js';
import { LatestProgress } from './latest-progress.js';
import { ShowReportsHandler } from './show-reports.handler.js';
import { StoredReports } from './stored-reports.js';
import { WorkerNews } from './worker-news.js';

/** Reads what workers report of their jobs. */
export const REPORTS: readonly Provider[] = [
  LatestProgress,
  StoredReports,
  IngestReportsHandler,
  ShowReportsHandler,
  WorkerNews,
];
