import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { heddleInProcess } from '../heddle-in-process.fixture.js';
import { heddleWithInput } from '../heddle-process.fixture.js';

const DATA = resolve(fileURLToPath(import.meta.url), '../../../../../docs/analysis/data');
/** Clears the screen, rings, turns the reading order, begins a line and a formula. */
const HOSTILE = '\u001b[2J\u0007\u009b1m\u202e\u2066\u200f\r\n=1+1';
/** What may act on a terminal or turn the reading order; a line break ends a line. */
const ACTING = /[^\P{C}\n]/u;

interface Line {
  readonly job_id: string;
  readonly seq: number;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** The event lines of a job that has outputs, and of one that failed at a node. */
let log: readonly Line[];
beforeAll(async () => {
  const ask = async (words: readonly string[]): Promise<Record<string, unknown>[]> => {
    const { out } = await heddleInProcess(['history', ...words, '--from', DATA, '--json']);
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const wanted = `select min(job_id) as id from jobs where outputs > 0 or error_node_id is not null group by outputs > 0`;
  const lines: Line[] = [];
  for (const { id } of await ask(['query', wanted])) lines.push(...((await ask(['show', String(id)])) as never[]));
  log = lines.sort((a, b) => a.seq - b.seq);
  expect(new Set(log.map(({ type }) => type))).toEqual(
    new Set(['JobSubmitted', 'JobLeased', 'NodeFinished', 'OutputCommitted', 'JobSucceeded', 'JobFailed']),
  );
});

const textOf = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
/** Every text that somebody outside of Heddle gives. */
function hostile({ type, data, ...line }: Line): object {
  const texts: Readonly<Record<string, object>> = {
    JobSubmitted: { metadata: { team: HOSTILE, [HOSTILE]: 'x' } },
    JobLeased: { workerId: HOSTILE, environment: HOSTILE },
    NodeFinished: { nodeId: HOSTILE, classType: HOSTILE },
    OutputCommitted: { nodeId: HOSTILE, name: HOSTILE, contentType: HOSTILE },
    JobFailed: { error: { ...(data['error'] as object), message: HOSTILE, classType: HOSTILE, traceback: HOSTILE } },
  };
  return { ...line, type, data: { ...data, ...texts[type] }, correlation_id: HOSTILE };
}

describe('a log with names, labels and error texts that act on a terminal', () => {
  const commands: readonly (readonly string[])[] = [
    ['show', 'JOB'],
    ['show', 'JOB', '--summary'],
    ['verify'],
    ['as-of', 'LAST', 'JOB'],
    ['diff', 'FIRST', 'LAST'],
    ['query', 'select * from events', '--format', 'table'],
    ['query', 'select * exclude (data_sha256, chain) from events', '--format', 'csv'],
    ['query', 'select * from jobs', '--format', 'csv'],
    ['query', 'select * from attempts', '--format', 'table'],
    ['query', 'select * from node_runs', '--format', 'csv'],
    ['query', 'select * from outputs', '--format', 'table'],
  ];
  const asJson = commands.filter((words) => !words.includes('--format')).map((words) => [...words, '--json']);
  it.each([...commands, ...asJson].map((words) => [words.join(' '), words] as const))(
    'history %s: nothing acts',
    async (_, words) => {
      let all = '';
      for (const id of new Set(log.map(({ job_id }) => job_id))) {
        const job = log.filter(({ job_id }) => job_id === id);
        const ends: Readonly<Record<string, string>> = {
          JOB: id,
          FIRST: String(job[0]!.seq),
          LAST: String(job.at(-1)!.seq),
        };
        const asked = words.map((word) => ends[word] ?? word);
        const { out, err, code } = await heddleWithInput(
          ['history', ...asked, '--from', '-'],
          textOf(job.map(hostile)),
        );
        expect([0, 1]).toContain(code);
        all += out;
        expect((ACTING.exec(out + err) ?? [null])[0]).toBeNull();
      }
      // The text itself is there, but for verify, which names events by their numbers.
      expect(all).toContain(words[0] === 'verify' ? 'hash' : '=1+1');
    },
  );

  it('has the hostile text in what was asked: JSON escapes it', async () => {
    const { out } = await heddleWithInput(
      ['history', 'show', log[0]!.job_id, '--from', '-', '--json'],
      textOf(log.map(hostile)),
    );
    expect((JSON.parse(out.split('\n')[0]!) as Line & { correlation_id: string }).correlation_id).toBe(HOSTILE);
  });
});

describe('a log with an event of an unknown type or a newer version', () => {
  it.each([
    ['type', (line: Line): object => ({ ...line, type: 'JobPaused' }), 'JobPaused'],
    ['version', (line: Line): object => ({ ...line, schema_version: 99 }), 'JobFailed'],
  ])('of an unknown %s: it is named, the other job is read, and the exit code is 1', async (_, change, name) => {
    const text = textOf(log.map((line) => (line.type === 'JobFailed' ? change(line) : line)));
    const last = String(log.at(-1)!.seq);
    const asOf = await heddleWithInput(['history', 'as-of', last, '--from', '-', '--json'], text);
    expect([asOf.code, asOf.lines()]).toMatchObject([
      1,
      [
        { jobs: 1, by_status: { succeeded: 1, failed: 0 } },
        { error: { code: 'unknown_event', message: expect.stringContaining(name) as string } },
      ],
    ]);
    const verified = await heddleWithInput(['history', 'verify', '--from', '-', '--json'], text);
    expect(verified.code).toBe(1);
    expect(verified.lines().at(-1)!['faults']).toContainEqual(
      expect.objectContaining({ fault: 'undecodable', message: expect.stringContaining(name) as string }),
    );
    const failed = log.find(({ type }) => type === 'JobFailed')!;
    const shown = await heddleWithInput(['history', 'show', failed.job_id, '--from', '-'], text);
    expect(shown.out).toContain(name);
    const asked = ['query', 'select count(*)::integer as n from events', '--json'];
    expect((await heddleWithInput(['history', ...asked, '--from', '-'], text)).lines()).toEqual([{ n: log.length }]);
  });
});
