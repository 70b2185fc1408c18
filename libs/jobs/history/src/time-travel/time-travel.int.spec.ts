import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evolve } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobId, linesOf, loggedJobs } from '../logged-jobs.fixture.js';
import { LinesSource } from '../open-source/lines-source.js';
import { ExportSource } from '../read-export/export-source.js';
import { HistoryEngine } from '../read-export/history-engine.js';
import { snapshotLines } from '../snapshot-lines/snapshot-lines.js';
import { diffFolds, type FoldSkips } from './diff-folds.js';
import { diffJob, type JobDifference } from './diff-job.js';
import { jobAtPosition, type JobAtPosition } from './job-at-position.js';
import { positionOf } from './position.js';
import { TravelLog, type LoggedPlace } from './travel-log.js';

const LOG = loggedJobs(2);
const signal = new AbortController().signal;

let folder: string;
let engine: HistoryEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-travel-'));
  engine = await HistoryEngine.open();
});
afterAll(async () => {
  engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function* stream(events: readonly NumberedEvent[]): AsyncGenerator<string> {
  yield await Promise.resolve(linesOf(events).join('\n'));
}
const travelLog = async (events: readonly NumberedEvent[] = LOG): Promise<TravelLog> => {
  const out = await mkdtemp(join(folder, 'lines-'));
  const files = await snapshotLines(new LinesSource(stream(events)), out, signal);
  expect(await readdir(out)).toHaveLength(files.length);
  return new TravelLog(new ExportSource('-', engine.connection, [files]));
};
interface At {
  readonly place: LoggedPlace;
  readonly jobs: Readonly<Record<string, JobAtPosition>>;
}
const at = async (text: string, events = LOG): Promise<At> => {
  const log = await travelLog(events);
  const position = positionOf(text)!;
  const jobs: Record<string, JobAtPosition> = {};
  for await (const one of log.jobs(null)) jobs[one[0]!.streamId] = jobAtPosition(one, position);
  return { place: await log.place(position), jobs };
};
const purged = (events: readonly NumberedEvent[], id: string): NumberedEvent[] =>
  events.map((event) => (event.streamId === id ? { ...event, data: null } : event));

describe('a position', () => {
  it('is a whole number or an instant with its zone', () => {
    expect(positionOf('12')).toEqual({ seq: 12n });
    expect(positionOf('99999999999999999999')).toEqual({ seq: 2n ** 63n - 1n });
    expect(positionOf('2026-11-27T11:00:00+01:00')).toEqual({ instant: '2026-11-27T10:00:00.000Z' });
    for (const text of ['', '-1', '1.5', 'yesterday', '2026-11-27', '2026-11-27T10:00:00', '2026-13-27T10:00:00Z'])
      expect(positionOf(text), text).toBeNull();
  });
});

describe('the log at a position', () => {
  it('names the first event that this build cannot use, and reads the rest', async () => {
    const newer = LOG.map((event, n) => (n === 7 ? { ...event, schemaVersion: 9 } : event));
    const { jobs } = await at('12', newer);
    expect(jobs[jobId(1)]).toMatchObject({ job: null, unusable: expect.stringContaining('seq 8') as string });
    expect(jobs[jobId(0)]).toMatchObject({ job: { status: 'succeeded' }, unusable: null });
    expect((await at('7', newer)).jobs[jobId(1)]?.unusable).toBeNull();
  });

  it('has each job as it was then', async () => {
    const { place, jobs } = await at('8');
    expect(place).toEqual({ seq: 8n, at: LOG[7]!.recordedAt });
    expect(jobs[jobId(0)]?.job).toMatchObject({ status: 'succeeded', version: 6, outputs: [{ node_id: '2' }] });
    expect(jobs[jobId(1)]?.job).toMatchObject({ status: 'running', version: 2, fence: 1, completed_at: null });
    expect((await at('6')).jobs[jobId(1)]?.job).toBeNull();
  });

  it('has at an instant the events of each job up to the first one recorded later', async () => {
    expect((await at(LOG[7]!.recordedAt)).place.seq).toBe(8n);
    // The clock went back: the event after the later one is recorded earlier, and does not count.
    const back = LOG.map((event, n) => (n === 3 ? { ...event, recordedAt: '2026-11-27T10:00:09.000Z' } : event));
    const { place, jobs } = await at(LOG[4]!.recordedAt, back);
    expect(place.seq).toBe(3n);
    expect(jobs[jobId(0)]?.job).toMatchObject({ version: 3, outputs: [] });
  });

  it('has a job whose payloads were purged since, with what its envelopes give', async () => {
    const { jobs } = await at('5', purged(LOG, jobId(0)));
    expect(jobs[jobId(0)]).toMatchObject({
      isRedacted: true,
      job: { status: 'running', created_at: LOG[0]!.recordedAt, version: 5, fence: 1, outputs: null, metadata: null },
    });
    const end = await at('12', purged(LOG, jobId(0)));
    expect(end.jobs[jobId(0)]?.job).toMatchObject({ status: 'succeeded', completed_at: LOG[5]!.recordedAt });
    expect(end.jobs[jobId(1)]).toMatchObject({ isRedacted: false, job: { status: 'succeeded', outputs: [{}] } });
  });

  it.each(['0', '13', '2026-11-27T09:59:59Z', '2099-01-01T00:00:00Z'])('does not exist at %s', async (text) => {
    const named = /^\d+$/.test(text) ? `seq ${text}` : text.slice(0, 4);
    await expect(at(text)).rejects.toThrow(`the log has no position ${named}`);
  });

  it('does not exist in an empty log', async () => {
    await expect((await travelLog([])).place({ seq: 1n })).rejects.toThrow('the log is empty, so it has no seq 1');
  });
});

describe('the difference of two positions', () => {
  const changes = async (a: string, b: string): Promise<JobDifference[]> => {
    const [before, after] = [await at(a), await at(b)];
    return Object.keys(after.jobs)
      .map((id) => diffJob(id, before.jobs[id]!.job, after.jobs[id]!.job))
      .filter((change) => change !== null);
  };

  it('names each job and field that differs', async () => {
    const found = await changes('4', '8');
    expect(found.map(({ job_id, change }) => [job_id, change])).toEqual([
      [jobId(0), 'changed'],
      [jobId(1), 'added'],
    ]);
    expect(found[0]!.fields).toMatchObject({ status: ['running', 'succeeded'], version: [4, 6] });
    expect(found[0]!.fields).not.toHaveProperty('metadata');
    expect((await changes('8', '4')).map(({ change }) => change)).toEqual(['changed', 'removed']);
  });
});

describe('the difference of two folds', () => {
  const compared = async (there: (state: never, recorded: never) => unknown, events = LOG) => {
    const skips: FoldSkips = { redacted: 0, undecodable: 0, first: null };
    const found = [];
    const jobs = (await travelLog(events)).jobs(null);
    for await (const one of diffFolds(jobs, there as Parameters<typeof diffFolds>[1], skips)) found.push(one);
    return { found, skips };
  };
  const differences = async (there: (state: never, recorded: never) => unknown) => (await compared(there)).found;

  it('counts the jobs that it cannot compare whole, and says why', async () => {
    const odd = purged(LOG, jobId(0)).map((event, n) => (n === 8 ? { ...event, type: 'JobPaused' } : event));
    const { found, skips } = await compared(evolve as (state: never, recorded: never) => unknown, odd);
    expect(found).toEqual([]);
    expect(skips).toEqual({
      redacted: 1,
      undecodable: 1,
      first: `seq 9, job ${jobId(1)}: this build cannot read JobPaused of schema version 1`,
    });
  });

  it('is nothing for the same fold', async () => {
    expect(await differences(evolve as (state: never, recorded: never) => unknown)).toEqual([]);
  });

  it('names of each job the first version at which they disagree', async () => {
    const other = (state: JobState, recorded: Parameters<typeof evolve>[1]): JobState => {
      const next = evolve(state, recorded);
      return recorded.event.type === 'JobLeased' && 'facts' in next
        ? { ...next, facts: { ...next.facts, fence: 7 } }
        : next;
    };
    expect(await differences(other as (state: never, recorded: never) => unknown)).toEqual([
      { job_id: jobId(0), version: 2, field: 'fence', here: 1, there: 7 },
      { job_id: jobId(1), version: 2, field: 'fence', here: 1, there: 7 },
    ]);
  });

  it('takes a fold that throws, and a value that is not a state, as a disagreement', async () => {
    const thrown = await differences(() => {
      throw new Error('broken');
    });
    expect(thrown).toContainEqual(expect.objectContaining({ field: 'status', there: 'evolve threw: broken' }));
    expect(await differences(() => null)).toContainEqual(expect.objectContaining({ field: 'status', version: 1 }));
  });
});
