import type { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { DeadlineEnforcer } from './enforce-deadlines/deadline-enforcer.js';
import { Repeating } from './enforce-deadlines/repeating.js';
import type { JobsLog } from './jobs-log.js';
import { JobsBackground } from './jobs-runtime.js';
import type { JobsSettings } from './jobs-settings.js';
import type { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import type { JobPurger } from './purge-jobs/job-purger.js';

const SHORTEST_MS = 20;
const DEPTH_EVERY_MS = 5_000;

type Parts = [
  sequencer: Sequencer,
  relay: LogReader,
  deadlines: DeadlineEnforcer,
  purger: JobPurger,
  dispatcher: LeaseDispatcher,
];

/** What runs beside the requests: sequencer and relay, deadlines, purge, and the slow poll under the hand-over of work. */
export function backgroundOf(
  settings: JobsSettings,
  log: JobsLog,
  readDepth: () => Promise<void>,
  prepare: () => Promise<void>,
) {
  return (...[sequencer, relay, deadlines, purger, dispatcher]: Parts): JobsBackground => {
    const { leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs, retryDelayMs, sweepIntervalMs, retentionMs } =
      settings;
    const shortest = Math.min(leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs) / 4;
    const enforceEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, shortest));
    const pollEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, retryDelayMs));
    const purgeEvery = Math.max(SHORTEST_MS, Math.min(60_000, retentionMs / 4));
    const poll = async (): Promise<boolean> => {
      dispatcher.poll();
      return await Promise.resolve(false);
    };
    return new JobsBackground(
      [
        sequencer,
        relay,
        new Repeating(
          async () => await deadlines.enforce(),
          enforceEvery,
          (error) => log.failed('deadlines were not looked at', error),
        ),
        new Repeating(
          async () => await purger.purge(),
          purgeEvery,
          (error) => log.failed('jobs past their retention were not purged', error),
        ),
        new Repeating(
          async () => {
            await readDepth();
            return false;
          },
          DEPTH_EVERY_MS,
          (error) => log.failed('the depth of the queue was not read', error),
        ),
        new Repeating(poll, pollEvery, (error) => log.failed('waiting jobs were not polled', error)),
      ],
      prepare,
    );
  };
}
