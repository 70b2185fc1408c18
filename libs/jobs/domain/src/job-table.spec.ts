import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  aCancelingJob,
  aQueuedJob,
  aRunningJob,
  aSucceededJob,
  nothing,
  outputOf,
  progressOf,
  JobStory,
  submission,
} from './job.fixture.js';
import {
  captureLog,
  commitOutput,
  endOverrun,
  expireWaiting,
  finishNode,
  giveUpOnCancel,
  leaseJob,
  loseLease,
  reportOutcome,
  requestCancel,
  submitJob,
} from './job.js';
import type { JobDecision, Outcome } from './job.js';
import { ENDED_STATUSES } from './job.state.js';
import type { JobState } from './job.state.js';

const MAX_OUTPUTS = 1_000;

const failure = { code: 'engine_error', message: 'x', nodeId: null, classType: null, traceback: null } as const;
const offer = { workerId: 'worker-b', environment: 'e', revision: 0, maxRuntimeMs: 1, hasCredentials: true };
const outcome = (value: Outcome, fence = 1) => {
  const report = { fence, sequence: 9, outcome: value, progress: progressOf(0.5) };
  return (job: JobState): JobDecision => reportOutcome(job, report);
};
const lose =
  (reason: 'expired' | 'handed_back', started = true) =>
  (job: JobState) =>
    loseLease(job, { fence: 1, reason, detail: null, progress: null, started });
const report = { fence: 1, sequence: 1 };

/** `last`: jobs whose next loss is their last attempt; `credentials`: jobs with credentials. */
const commands: Readonly<Record<string, (job: JobState) => JobDecision>> = {
  submitJob: (job) => submitJob(job, submission),
  leaseJob: (job) => leaseJob(job, offer),
  'leaseJob, credentials gone': (job) => leaseJob(job, { ...offer, hasCredentials: false }),
  'leaseJob, other revision': (job) => leaseJob(job, { ...offer, revision: 2 }),
  finishNode: (job) =>
    finishNode(job, report, { nodeId: '1', classType: 'X', startedAt: '', endedAt: '', cached: true }),
  commitOutput: (job) => commitOutput(job, report, outputOf('1/0/0'), MAX_OUTPUTS),
  captureLog: (job) => captureLog(job, report, { sizeBytes: 1, truncated: false }),
  'reportOutcome succeeded': outcome({ kind: 'succeeded' }),
  'reportOutcome failed': outcome({ kind: 'failed', ...failure, nodeRun: null }),
  'reportOutcome canceled': outcome({ kind: 'canceled' }),
  'reportOutcome lost': outcome({ kind: 'lost', reason: 'x' }),
  'reportOutcome lost, last': outcome({ kind: 'lost', reason: 'x' }),
  'reportOutcome, old fence': outcome({ kind: 'succeeded' }, 0),
  requestCancel,
  giveUpOnCancel: (job) => giveUpOnCancel(job, 1, null),
  'loseLease expired': lose('expired'),
  'loseLease expired, last': lose('expired'),
  'loseLease handed back': lose('handed_back'),
  'loseLease expired, credentials, begun': lose('expired'),
  'loseLease expired, credentials, not begun': lose('expired', false),
  'loseLease handed back, credentials, begun': lose('handed_back'),
  'loseLease handed back, credentials, not begun': lose('handed_back', false),
  'reportOutcome lost, credentials': outcome({ kind: 'lost', reason: 'x' }),
  endOverrun: (job) => endOverrun(job, 1, null),
  expireWaiting,
};

/**
 * `>x` changes to status x; `+` adds an event without a change of status; `=` is already so; anything else is the
 * rejection.
 */
const table = `
command                    | unsubmitted | queued     | running     | canceling   | succeeded   | failed      | canceled    | expired     | purged
submitJob                  | >queued     | job_exists | job_exists  | job_exists  | job_exists  | job_exists  | job_exists  | job_exists  | job_exists
leaseJob                   | not_found   | >running   | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_found
leaseJob, credentials gone | not_found   | >failed    | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_found
leaseJob, other revision   | not_found   | other_revision | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_found
finishNode                 | stale_fence | stale_fence| +           | +           | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
commitOutput               | stale_fence | stale_fence| +           | +           | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
captureLog                 | stale_fence | stale_fence| +           | +           | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
reportOutcome succeeded    | stale_fence | stale_fence| >succeeded  | >succeeded  | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
reportOutcome failed       | stale_fence | stale_fence| >failed     | >failed     | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
reportOutcome canceled     | stale_fence | stale_fence| >queued     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
reportOutcome lost         | stale_fence | stale_fence| >queued     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
reportOutcome lost, last   | stale_fence | stale_fence| >failed     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
reportOutcome, old fence   | stale_fence | stale_fence| stale_fence | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
requestCancel              | not_found   | >canceled  | >canceling  | =           | =           | =           | =           | =           | not_found
giveUpOnCancel             | not_canceling | not_canceling | not_canceling | >canceled | not_canceling | not_canceling | not_canceling | not_canceling | not_canceling
loseLease expired          | stale_fence | stale_fence| >queued     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
loseLease expired, last    | stale_fence | stale_fence| >failed     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
loseLease handed back      | stale_fence | stale_fence| >queued     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
loseLease expired, credentials, begun | stale_fence | stale_fence| >failed     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
loseLease expired, credentials, not begun | stale_fence | stale_fence| >queued     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
loseLease handed back, credentials, begun | stale_fence | stale_fence| >failed     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
loseLease handed back, credentials, not begun | stale_fence | stale_fence| >queued     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
reportOutcome lost, credentials | stale_fence | stale_fence| >failed     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
endOverrun                 | stale_fence | stale_fence| >failed     | >canceled   | stale_fence | stale_fence | stale_fence | stale_fence | stale_fence
expireWaiting              | not_found   | >expired   | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_queued  | not_found
`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const statuses = rows[0]!.slice(1);
const cells = rows
  .slice(1)
  .flatMap(([command, ...row]) => row.map((cell, at) => ({ command: command!, status: statuses[at]!, cell })));

function storyOf(status: string, command: string): JobStory {
  const submittedJob = command.includes('credentials')
    ? nothing.submitted({ hasCredentials: true, maxAttempts: 1 })
    : command.endsWith('last')
      ? nothing.submitted({ maxAttempts: 1 })
      : aQueuedJob;
  const running = new JobStory([submittedJob.recorded[0]!, ...aRunningJob.recorded.slice(1)]);
  const stories: Readonly<Record<string, JobStory>> = {
    unsubmitted: nothing,
    queued: submittedJob,
    running,
    canceling: new JobStory([...running.recorded, ...aCancelingJob.recorded.slice(2)]),
    succeeded: aSucceededJob,
    failed: aRunningJob.and({ type: 'JobFailed', data: { error: failure, progress: null, nodeRun: null } }),
    canceled: aQueuedJob.and({ type: 'JobCanceled', data: { reason: 'requested', progress: null } }),
    expired: aQueuedJob.and({ type: 'JobExpired', data: { progress: null } }),
    purged: aSucceededJob.and({ type: 'JobPurged', data: {} }),
  };
  return stories[status]!;
}

describe('every command on every status', () => {
  it.each(cells)('$command on $status: $cell', ({ command, status, cell }) => {
    const story = storyOf(status, command);
    const state = story.state();
    expect(state.status).toBe(status);
    const decision = commands[command]!(state);
    if (!decision.ok) return expect(decision.rejection).toBe(cell);
    if (decision.events.length === 0) return expect('=').toBe(cell);
    const after = story.and(...decision.events).state().status;
    return expect(after === status ? '+' : `>${after}`).toBe(cell);
  });

  it('covers every command in the table, and names no other', () => {
    expect(rows.slice(1).map(([command]) => command)).toEqual(Object.keys(commands));
  });
});

describe('a purge, which SQL decides', () => {
  it.each(ENDED_STATUSES)('ends the stream of a job that is %s', (status) => {
    const ended = storyOf(status, '');
    expect(ended.state().status).toBe(status);
    expect(ended.and({ type: 'JobPurged', data: {} }).state()).toMatchObject({
      status: 'purged',
      version: ended.recorded.length + 1,
    });
  });
});

describe('the drawing of the life cycle', () => {
  it('shows exactly the edges of the table with their events, and the purge of each end', () => {
    const page = readFileSync(new URL('../../../../docs/architecture/01-job-lifecycle.md', import.meta.url), 'utf8');
    const drawing = /```mermaid\n([^`]*)```/.exec(page)?.[1] ?? '';
    // In brackets behind an event is the code of its failure.
    const drawn = [...drawing.matchAll(/^\s*(\S+) --> (\S+?)(?:: (\S+)(?: \((\w+)\))?)?$/gm)].map(
      ([, from, to, event, code]) => ({
        edge: `${from === '[*]' ? 'unsubmitted' : from} > ${to === '[*]' ? 'purged' : to}: ${event}`,
        code,
      }),
    );
    const edges = cells
      .filter(({ cell }) => cell.startsWith('>'))
      .map(({ command, status, cell }) => {
        const decision = commands[command]!(storyOf(status, command).state());
        const last = decision.ok ? decision.events.at(-1) : undefined;
        const code = last?.type === 'JobFailed' ? last.data.error.code : undefined;
        return { edge: `${status} > ${cell.slice(1)}: ${last?.type}`, code };
      });
    const purges = ENDED_STATUSES.map((status) => `${status} > purged: JobPurged`);
    expect(drawn.map(({ edge }) => edge).sort()).toEqual(
      [...new Set([...edges.map(({ edge }) => edge), ...purges])].sort(),
    );
    for (const { edge, code } of drawn.filter((arrow) => arrow.code !== undefined))
      expect(new Set(edges.filter((decided) => decided.edge === edge).map((decided) => decided.code))).toEqual(
        new Set([code]),
      );
  });
});
