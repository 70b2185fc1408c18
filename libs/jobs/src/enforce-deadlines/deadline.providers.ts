import type { Provider } from '@nestjs/common';
import { SweepCommits } from '../commit-job-events/sweep-commits.js';
import { JobPurger } from '../purge-jobs/job-purger.js';
import { JobsSettings } from '../settings.js';
import { DeadlineClock } from './deadline-clock.js';
import { DeadlineEnforcer } from './deadline-enforcer.js';
import { EndOrphanedLeases } from './end-orphaned-leases.js';
import { OverdueJobs } from './overdue-jobs.js';
import { RescueGrace } from './rescue-grace.js';

/** Ends jobs that are overdue, and purges ended ones. */
export const DEADLINES: readonly Provider[] = [
  DeadlineClock,
  SweepCommits,
  OverdueJobs,
  DeadlineEnforcer,
  EndOrphanedLeases,
  JobPurger,
  { provide: RescueGrace, inject: [JobsSettings], useFactory: (settings: JobsSettings) => new RescueGrace(settings) },
];
