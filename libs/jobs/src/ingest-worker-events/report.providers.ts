import type { Provider } from '@nestjs/common';
import { IngestReportsHandler } from './ingest-reports.handler.js';
import { LatestProgress } from './latest-progress.js';
import { ShowReportsHandler } from './show-reports.handler.js';
import { StoredReports } from './stored-reports.js';
import { ProgressPublisher } from './progress-publisher.js';

/** Reads what workers report of their jobs. */
export const REPORTS: readonly Provider[] = [
  LatestProgress,
  StoredReports,
  IngestReportsHandler,
  ShowReportsHandler,
  ProgressPublisher,
];
