import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { hasApplied } from './applied-sequences.js';
import { canonicalJobEvent, decodeJobEvent, encodeJobEvent } from './job.codec.js';
import { evolve } from './evolve.js';
import { outputOf, progressOf, submission } from './job.fixture.js';
import type { RecordedJobEvent } from './job.events.js';
import {
  captureLog,
  commitOutput,
  endOverrun,
  expireWaiting,
  finishNode,
  giveUpOnCancel,
  isEnded,
  isLeased,
  leaseJob,
  loseLease,
  reportOutcome,
  requestCancel,
  submitJob,
} from './job.js';
import type { JobDecision, Outcome } from './job.js';
import { initial } from './job.state.js';
import type { JobState } from './job.state.js';
import { projectJob } from './project-job.js';

const MAX_OUTPUTS = 1_000;

/** Edges of decisions, Jobs; loops are not listed. */
const legal = new Set([
  'unsubmitted>queued',
  'queued>running',
  'queued>canceled',
  'queued>expired',
  'queued>failed',
  'running>queued',
  'running>canceling',
  'running>succeeded',
  'running>failed',
  'canceling>canceled',
  'canceling>succeeded',
  'canceling>failed',
]);

const fence = fc.integer({ min: 0, max: 4 });
const sequence = fc.integer({ min: 1, max: 6 });
const value = fc.double({ min: 0, max: 1, noNaN: true }).map(progressOf);
const outcome = fc.oneof(
  fc.constant<Outcome>({ kind: 'succeeded' }),
  fc.constant<Outcome>({ kind: 'canceled' }),
  fc.constant<Outcome>({ kind: 'lost', reason: 'crash' }),
  fc.constant<Outcome>({
    kind: 'failed',
    nodeRun: null,
    code: 'engine_error',
    message: 'x',
    nodeId: null,
    classType: null,
    traceback: null,
  }),
);

interface Command {
  readonly text: string;
  readonly fence: number | null;
  readonly sequence: number | null;
  /** For a lost lease: true if its worker had started. */
  readonly started: boolean | null;
  readonly decide: (state: JobState) => JobDecision;
}

const command = (
  text: string,
  decide: (state: JobState) => JobDecision,
  at: { fence?: number; sequence?: number; started?: boolean } = {},
): Command => {
  const { fence: reported = null, sequence: reportedAs = null, started = null } = at;
  return { text, decide, fence: reported, sequence: reportedAs, started };
};

const offer = { workerId: 'w', environment: 'e', revision: 0, maxRuntimeMs: 1000, hasCredentials: true };
const node = { nodeId: '1', classType: 'X', startedAt: '', endedAt: '', cached: false };
const report = fc.record({ fence, sequence });
const commands = fc.oneof(
  fc.boolean().map((hasCredentials) => {
    const data = { ...submission, hasCredentials, maxAttempts: hasCredentials ? 1 : 3 };
    return command('submit', (job) => submitJob(job, data));
  }),
  fc.boolean().map((hasCredentials) => command('lease', (job) => leaseJob(job, { ...offer, hasCredentials }))),
  report.map((at) => command('node', (job) => finishNode(job, at, node), at)),
  report.map((at) => command('log', (job) => captureLog(job, at, { sizeBytes: 1, truncated: false }), at)),
  fc
    .tuple(report, fc.integer({ min: 0, max: 3 }))
    .map(([at, slot]) =>
      command(`output ${slot}`, (job) => commitOutput(job, at, outputOf(`1/0/${slot}`), MAX_OUTPUTS), at),
    ),
  fc
    .tuple(report, outcome, value)
    .map(([at, how, progress]) =>
      command(how.kind, (job) => reportOutcome(job, { ...at, outcome: how, progress }), at),
    ),
  fc.constant(command('cancel', requestCancel)),
  fence.map((at) => command('give up', (job) => giveUpOnCancel(job, at, null), { fence: at })),
  fc
    .tuple(fence, fc.constantFrom('expired' as const, 'handed_back' as const), value, fc.boolean())
    .map(([at, reason, progress, started]) =>
      command(reason, (job) => loseLease(job, { fence: at, reason, detail: null, progress, started }), {
        fence: at,
        started,
      }),
    ),
  fence.map((at) => command('overrun', (job) => endOverrun(job, at, null), { fence: at })),
  fc.constant(command('expire', expireWaiting)),
);

function run(
  history: readonly Command[],
  check: (before: JobState, after: JobState, command: Command) => void,
): JobState {
  let state: JobState = initial;
  history.forEach((one, index) => {
    const decision = one.decide(state);
    const before = state;
    for (const event of decision.ok ? decision.events : []) {
      const recordedAt = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
      const recorded: RecordedJobEvent = { event, recordedAt, workerSequence: one.sequence };
      const stored = decodeJobEvent(event.type, 1, encodeJobEvent(canonicalJobEvent(event)));
      expect(evolve(state, { ...recorded, event: stored })).toEqual(evolve(state, recorded));
      state = evolve(state, recorded);
    }
    check(before, state, one);
  });
  return state;
}

describe(`any sequence of commands (seed ${seed})`, () => {
  const histories = fc.array(commands, { minLength: 1, maxLength: 60 });
  const holds = (check: (before: JobState, after: JobState, command: Command) => void): void =>
    fc.assert(
      fc.property(histories, (history) => void run(history, check)),
      { seed, numRuns: 300 },
    );

  it('takes only legal edges (I6)', () => {
    holds((before, after) => {
      if (before.status !== after.status) expect(legal).toContain(`${before.status}>${after.status}`);
    });
  });

  it('never changes a job that ended, save for its purge (I5)', () => {
    holds((before, after) => {
      if (isEnded(before)) expect(after).toBe(before);
    });
  });

  it('changes nothing for a report under another fence than the live one (I8)', () => {
    holds((before, after, { fence: reported }) => {
      if (reported === null || before.status === 'unsubmitted' || before.status === 'purged') return;
      if (reported !== before.facts.fence) expect(after).toBe(before);
    });
  });

  it('loses no output, repeats none and keeps their order (I9)', () => {
    holds((before, after) => {
      const [known, now] = [projectJob(before)?.outputs ?? [], projectJob(after)?.outputs ?? []];
      expect(now.slice(0, known.length)).toEqual(known);
      expect(new Set(now.map((output) => output.key)).size).toBe(now.length);
    });
  });

  it('never shows a smaller progress, and 1 on success (I13)', () => {
    holds((before, after) => {
      const [shown, now] = [projectJob(before)?.progress?.value ?? 0, projectJob(after)?.progress?.value ?? 0];
      expect(now).toBeGreaterThanOrEqual(shown);
      if (after.status === 'succeeded') expect(now).toBe(1);
    });
  });

  it('queues a job with credentials again only if its worker neither began nor reported (ADR 0021)', () => {
    holds((before, after, { started }) => {
      if (!isLeased(before) || after.status !== 'queued' || !before.facts.submission.hasCredentials) return;
      expect([started, hasApplied(before.applied)]).toEqual([false, false]);
    });
  });

  it('raises the fence by one with each lease and counts each event as a version', () => {
    holds((before, after) => {
      const [one, two] = [projectJob(before), projectJob(after)];
      if (one === null || two === null) return;
      expect(two.fence - one.fence).toBe(after.status === 'running' && before.status === 'queued' ? 1 : 0);
      expect(two.version - one.version).toBeLessThanOrEqual(1);
    });
  });

  it('is gone after its purge, from any end', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const state = run(history, () => undefined);
        fc.pre(isEnded(state));
        const recordedAt = new Date(Date.UTC(2027, 0, 1)).toISOString();
        const purged = evolve(state, { event: { type: 'JobPurged', data: {} }, recordedAt, workerSequence: null });
        expect(projectJob(purged)).toBeNull();
        expect(purged).toEqual({ status: 'purged', version: projectJob(state)!.version + 1 });
      }),
      { seed, numRuns: 100 },
    );
  });
});
