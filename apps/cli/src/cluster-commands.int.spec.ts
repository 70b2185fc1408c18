import { describe, expect, it } from 'vitest';
import { heddleInProcess as run } from './heddle-in-process.fixture.js';

/** Nothing listens on port 9 of a machine that runs tests. */
const BROKERS = { HEDDLE_KAFKA_BROKERS: '127.0.0.1:9' };
const DATABASE = { HEDDLE_DATABASE_URL: 'postgres://heddle@127.0.0.1:9/heddle' };
const REPLAY = ['history', 'replay', '--from-seq', '5'];

describe('a command of the cluster', () => {
  it.each([
    [['dead-letters', 'list']],
    [['dead-letters', 'show', 'heddle.jobs.events.v1@12']],
    [['dead-letters', 'retry', '--all']],
    [REPLAY],
  ])('%j says first that it works on a cluster, and which setting it needs', async (words) => {
    const { code, err } = await run(words);
    expect(code).toBe(2);
    expect(err).toContain(`heddle: ${words[0]} ${words[1]} needs a cluster, and HEDDLE_KAFKA_BROKERS is not set\n`);
    expect(err).toContain('set HEDDLE_KAFKA_BROKERS to the brokers of the cluster, for example 127.0.0.1:9092');
  });

  it('names the database when only the brokers are set', async () => {
    const { code, err } = await run(REPLAY, BROKERS);
    expect(code).toBe(2);
    expect(err).toContain('history replay needs a cluster, and HEDDLE_DATABASE_URL is not set\n');
  });

  it.each([
    [['history', 'replay'], '--from-seq is missing'],
    [[...REPLAY, '--to-seq', '4'], '--to-seq 4 is before --from-seq 5'],
    [['history', 'replay', '--from-seq', '0'], '--from-seq must be a whole number of 1 or more, not "0"'],
    [
      [...REPLAY, '--topic', 'a b'],
      '--topic must be the name of a topic: letters, digits, ".", "_" and "-", not "a b"',
    ],
    [['dead-letters', 'show', '12'], '"12" is not a letter id'],
    [['dead-letters', 'retry', 'heddle.jobs.events.v1'], '"heddle.jobs.events.v1" is not a letter id'],
    [['dead-letters', 'retry', 'a@1', '--topic', 'a'], '--topic goes with --all'],
  ])('%j is refused before a connection is made', async (words, message) => {
    for (const env of [{}, { ...BROKERS, ...DATABASE }]) {
      const { code, err } = await run(words, env);
      expect({ code, err: err.split('\n')[0] }).toEqual({ code: 2, err: `heddle: ${message}` });
    }
  });

  it('names its own option when the database is away: replay has no --data', async () => {
    const { code, err } = await run(REPLAY, { ...BROKERS, ...DATABASE });
    expect(code).toBe(3);
    expect(err).toContain('check --database-url or HEDDLE_DATABASE_URL');
    expect(err).not.toContain('--data ');
  });

  it.each([
    [REPLAY, { ...BROKERS, HEDDLE_DATABASE_URL: 'nowhere' }, 'HEDDLE_DATABASE_URL'],
    [['dead-letters', 'list'], { ...BROKERS, HEDDLE_PORT: 'nine' }, 'HEDDLE_PORT'],
    [['migrate'], { ...DATABASE, HEDDLE_PORT: 'nine' }, 'HEDDLE_PORT'],
  ])('%j tells a wrong setting without a stack', async (words, env, setting) => {
    const { code, err } = await run(words, env);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^heddle: .*${setting}`));
  });
});
