import { evolve } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { describe, expect, it } from 'vitest';
import { jobId, linesOf, loggedJobs } from '../logged-jobs.fixture.js';
import { LinesSource } from '../open-source/lines-source.js';
import { diffFolds } from './diff-folds.js';
import { diffLogs } from './diff-logs.js';
import { LogAt, readLogAt } from './log-at.js';
import { positionOf } from './position.js';

const LOG = loggedJobs(2);

async function* stream(events: readonly NumberedEvent[]): AsyncGenerator<string> {
  yield await Promise.resolve(linesOf(events).join('\n'));
}
const source = (events: readonly NumberedEvent[] = LOG): LinesSource => new LinesSource(stream(events));
const at = async (text: string, events = LOG): Promise<LogAt> => {
  const log = new LogAt(positionOf(text)!);
  await readLogAt(source(events), [log], { jobId: null });
  return log;
};

describe('a position', () => {
  it('is a whole number or an instant with its zone', () => {
    expect(positionOf('12')).toEqual({ seq: 12n });
    expect(positionOf('2026-11-27T11:00:00+01:00')).toEqual({ instant: '2026-11-27T10:00:00.000Z' });
    for (const text of ['', '-1', '1.5', 'yesterday', '2026-11-27', '2026-11-27T10:00:00', '2026-13-27T10:00:00Z'])
      expect(positionOf(text), text).toBeNull();
  });
});

describe('the log at a position', () => {
  it('names the first event that this build cannot use, and reads the rest', async () => {
    const newer = LOG.map((event, n) => (n === 7 ? { ...event, schemaVersion: 9 } : event));
    const log = await at('12', newer);
    expect(log.unusable).toContain('seq 8');
    expect([log.job(jobId(1)), log.job(jobId(0))?.status]).toEqual([null, 'succeeded']);
    expect((await at('7', newer)).unusable).toBeNull();
  });

  it('is not behind the last event', async () => {
    const log = await at('2099-01-01T00:00:00Z');
    expect(() => log.place()).toThrow('the log has no position 2099');
  });

  it('has each job as it was then', async () => {
    const log = await at('8');
    expect(log.place()).toEqual({ seq: 8n, at: LOG[7]!.recordedAt });
    expect(log.job(jobId(0))).toMatchObject({ status: 'succeeded', version: 6, outputs: [{ node_id: '2' }] });
    expect(log.job(jobId(1))).toMatchObject({ status: 'running', version: 2, fence: 1, completed_at: null });
    const early = await at('6');
    expect(early.job(jobId(1))).toBeNull();
  });

  it('has at an instant the events of each job up to the first one recorded later', async () => {
    const log = await at(LOG[7]!.recordedAt);
    expect(log.place().seq).toBe(8n);
    // The clock went back: the event after the later one is recorded earlier, and does not count.
    const back = LOG.map((event, n) => (n === 3 ? { ...event, recordedAt: '2026-11-27T10:00:09.000Z' } : event));
    expect((await at(LOG[4]!.recordedAt, back)).job(jobId(0))).toMatchObject({ version: 3, outputs: [] });
  });

  it.each(['0', '13', '2026-11-27T09:59:59Z'])('does not exist at %s', async (text) => {
    const log = await at(text);
    expect(() => log.place()).toThrow(
      `the log has no position ${text === '0' || text === '13' ? `seq ${text}` : '2026'}`,
    );
  });
});

describe('the difference of two positions', () => {
  it('names each job and field that differs', async () => {
    const changes = [...diffLogs(await at('4'), await at('8'), null)];
    expect(changes.map(({ job_id, change }) => [job_id, change])).toEqual([
      [jobId(0), 'changed'],
      [jobId(1), 'added'],
    ]);
    expect(changes[0]!.fields).toMatchObject({ status: ['running', 'succeeded'], version: [4, 6] });
    expect(changes[0]!.fields).not.toHaveProperty('metadata');
    expect([...diffLogs(await at('8'), await at('4'), jobId(1))]).toMatchObject([{ change: 'removed' }]);
  });
});

describe('the difference of two folds', () => {
  const differences = async (there: (state: never, recorded: never) => unknown) => {
    const found = [];
    for await (const one of diffFolds(source(), there as Parameters<typeof diffFolds>[1])) found.push(one);
    return found;
  };

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

  it('takes a fold that throws, and what is no state, as a disagreement', async () => {
    const thrown = await differences(() => {
      throw new Error('broken');
    });
    expect(thrown).toContainEqual(expect.objectContaining({ field: 'status', there: 'evolve threw: broken' }));
    expect(await differences(() => null)).toContainEqual(expect.objectContaining({ field: 'status', version: 1 }));
  });
});
