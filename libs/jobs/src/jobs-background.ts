import type { Sequencer } from '@heddle/platform-event-log';
import type { DeadlineEnforcer } from './enforce-deadlines/deadline-enforcer.js';
import { Repeating } from './enforce-deadlines/repeating.js';
import type { JobsLog } from './jobs-log.js';
import { JobsBackground } from './jobs-runtime.js';
import type { JobsSettings } from './jobs-settings.js';
import type { LeaseDispatcher } from './lease-job/lease-dispatcher.js';

const SHORTEST_MS = 20;

/** What runs beside the requests: the sequencer, the deadlines, and the slow poll under the hand-over of work. */
export function backgroundOf(settings: JobsSettings, log: JobsLog) {
  return (sequencer: Sequencer, deadlines: DeadlineEnforcer, dispatcher: LeaseDispatcher): JobsBackground => {
    const { leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs, retryDelayMs, sweepIntervalMs } = settings;
    const shortest = Math.min(leaseMs, maxRuntimeMs, maxQueueWaitMs, cancelGraceMs) / 4;
    const enforceEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, shortest));
    const pollEvery = Math.max(SHORTEST_MS, Math.min(sweepIntervalMs, retryDelayMs));
    const poll = async (): Promise<boolean> => {
      dispatcher.poll();
      return await Promise.resolve(false);
    };
    return new JobsBackground([
      sequencer,
      new Repeating(
        async () => await deadlines.enforce(),
        enforceEvery,
        (error) => log.failed('deadlines were not looked at', error),
      ),
      new Repeating(poll, pollEvery, (error) => log.failed('waiting jobs were not polled', error)),
    ]);
  };
}
