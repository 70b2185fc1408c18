import { readdirSync, readFileSync } from 'node:fs';
import { decodeJobEvent } from './job.codec.js';
import type { JobEvent } from './job.events.js';
import { aCancelingJob, aQueuedJob, aRunningJob, aSucceededJob, nothing } from './job.fixture.js';
import type { JobStory } from './job.fixture.js';
import type { JobState } from './job.state.js';

const failure = { code: 'engine_error', message: 'x', nodeId: null, classType: null, traceback: null } as const;

/** A job in each status, and a running one that was leased before. */
export const EVERY_JOB: Readonly<Record<JobState['status'] | 'running again', JobStory>> = {
  unsubmitted: nothing,
  queued: aQueuedJob,
  running: aRunningJob.committed('9/0/0', 1),
  'running again': aRunningJob.leaseLost().leased(2),
  canceling: aCancelingJob,
  succeeded: aSucceededJob,
  failed: aRunningJob.and({ type: 'JobFailed', data: { error: failure, progress: null, nodeRun: null } }),
  canceled: aQueuedJob.and({ type: 'JobCanceled', data: { reason: 'requested', progress: null } }),
  expired: aQueuedJob.and({ type: 'JobExpired', data: { progress: null } }),
  purged: aSucceededJob.and({ type: 'JobPurged', data: {} }),
};

/** An event of each type and schema version: the frozen samples. */
export const EVERY_EVENT: readonly { readonly name: string; readonly event: JobEvent }[] = readdirSync(
  new URL('../samples/', import.meta.url),
).map((file) => {
  const [type, version] = file.split('.') as [string, string];
  const text = readFileSync(new URL(`../samples/${file}`, import.meta.url), 'utf8');
  return { name: `${type} ${version}`, event: decodeJobEvent(type, Number(version.slice(1)), text) };
});
