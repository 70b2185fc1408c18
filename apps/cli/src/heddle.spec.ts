import { describe, expect, it } from 'vitest';
import { COMMANDS } from './command-table.js';
import { heddleInProcess as run } from './heddle-in-process.spec-runner.js';

/** Nothing listens on port 9 of a machine that runs tests. */
const NOWHERE = { HEDDLE_URL: 'http://127.0.0.1:9' };
const JOB = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';

describe('the exit code', () => {
  it.each([
    ['no command', []],
    ['a command that does not exist', ['jbos']],
    ['an option that does not exist', ['jobs', '--lmit', '3']],
    ['a job id that is none', ['watch', '17']],
    ['no graph', ['run']],
    ['a graph that does not exist', ['run', '/nowhere/graph.json']],
    ['a URL that is none', ['jobs', '--url', 'nowhere']],
    ['a group without its command', ['assets']],
    ['a command of a surface that is not there', ['keys', 'create', '--account', 'x']],
  ])('is 2 for %s', async (_, words) => {
    expect((await run(words)).code).toBe(2);
  });

  it.each([
    ['jobs', ['jobs']],
    ['watch', ['watch', JOB]],
    ['cancel', ['cancel', JOB]],
    ['assets show', ['assets', 'show', JOB]],
  ])('of %s is 3 where nothing can be reached', async (_, words) => {
    const { code, out, err } = await run(words, NOWHERE);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain('npm start');
  });

  it('is 0 for help', async () => {
    expect((await run(['--help'])).code).toBe(0);
    expect((await run(['assets', '--help'])).code).toBe(0);
  });
});

describe('the help', () => {
  it.each(COMMANDS.map((command) => [command.name] as const))('of %s has a usage and an example', async (name) => {
    const { code, out, err } = await run([...name.split(' '), '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`usage: heddle ${name}`);
    expect(out).toMatch(/examples?:\n {2}heddle/);
  });

  it('lists every command that others script against', async () => {
    const { out } = await run(['--help']);
    for (const word of 'run validate watch cancel jobs assets keys accounts credits deployments history dead-letters registry serve'.split(
      ' ',
    ))
      expect(out).toMatch(new RegExp(`^  ${word}( |$)`, 'm'));
  });
});

describe('with --json', () => {
  it('a failure is a line on standard output, and words are on standard error', async () => {
    const { code, out, err } = await run(['jobs', '--json'], NOWHERE);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ event: 'error', error: { code: 'unreachable' } });
    expect(err).toContain('cannot be reached');
  });
});
