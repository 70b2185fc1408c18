import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from './command-table.js';
import { heddle } from './heddle.js';
import { heddleInProcess as run } from './heddle-in-process.fixture.js';

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
    ['a command of the registry that does not exist', ['registry', 'create']],
    ['a version without its number', ['registry', 'status', 'pack-a']],
    ['a key without an account', ['keys', 'create']],
    ['a limit that is none', ['accounts', 'create', 'acme', '--streams', 'many']],
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

  it('lists every command', async () => {
    const { out } = await run(['--help']);
    for (const word of 'run validate watch cancel jobs assets history dead-letters accounts keys credits deployments registry serve'.split(
      ' ',
    ))
      expect(out).toMatch(new RegExp(`^  ${word}( |$)`, 'm'));
  });

  it('has every command once, below the title of its section', async () => {
    const { out } = await run(['help']);
    expect(out.match(/^[A-Z][\w ]+:$/gm)).toEqual([
      'Jobs:',
      'Assets:',
      'Registry of node packages:',
      'History:',
      'Operators:',
      'This command:',
    ]);
    for (const { name } of COMMANDS) expect(out.split(new RegExp(`^  ${name} +`, 'm'))).toHaveLength(2);
    const before = (title: string): string => out.slice(0, out.indexOf(`${title}:`));
    expect(before('Assets')).toContain('jobs logs');
    expect(before('Registry of node packages')).toContain('assets fetch');
    expect(before('Operators')).not.toMatch(/^ {2}(assets block|registry ban|accounts) /m);
    expect((await run(['help', 'history'])).out).not.toContain('History:');
  });

  it.each([
    [['help']],
    [['help', 'help']],
    [['help', 'run']],
    [['help', 'jobs', 'list']],
    [['help', 'assets']],
    [['run', '--help']],
  ])('is printed for %j', async (words) => {
    const { code, out, err } = await run(words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('usage: heddle');
  });

  it('of a group lists its commands, also where the group alone is short for one', async () => {
    for (const command of ['jobs list', 'jobs show', 'jobs logs'])
      expect((await run(['help', 'jobs'])).out).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect((await run(['jobs', '--help'])).out).toContain('--limit N');
  });

  it('is JSON with --json', async () => {
    for (const words of [['--json'], ['help', '--json'], ['--help', '--json']]) {
      const { out, err } = await run(words);
      const { commands } = JSON.parse(out) as { commands: unknown[] };
      expect(commands).toHaveLength(COMMANDS.length);
      expect(commands[0]).toEqual({ name: 'run', summary: 'submit a graph, follow it, fetch its outputs' });
      expect(err).toBe('');
    }
    expect(JSON.parse((await run(['help', 'jobs', 'list', '--json'])).out)).toMatchObject({
      name: 'jobs list',
      usage: 'heddle jobs list [options]',
      options: expect.arrayContaining([
        { name: '--all', value: null, meaning: 'all jobs, page by page', multiple: false },
      ]) as unknown,
      examples: expect.arrayContaining(['heddle jobs']) as unknown,
    });
    expect(JSON.parse((await run(['assets', '--help', '--json'])).out)).toHaveProperty(
      'commands.0.name',
      'assets upload',
    );
  });

  it('fits into a terminal of 80 columns, examples aside', async () => {
    for (const words of [['help'], ...COMMANDS.map(({ name }) => ['help', ...name.split(' ')])]) {
      const { out } = await run(words, {}, 80);
      const prose = out.slice(0, out.includes('\nexample') ? out.indexOf('\nexample') : undefined).split('\n');
      expect(prose.filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('breaks an example between words, as a shell reads it again', async () => {
    for (const words of COMMANDS.map(({ name }) => ['help', ...name.split(' ')])) {
      const examples = ({ out }: { out: string }): string => out.slice(out.indexOf('\nexample'));
      const [narrow, wide] = [examples(await run(words, {}, 80)), examples(await run(words))];
      expect(narrow.split('\n').filter((line) => line.length > 80)).toEqual([]);
      expect(narrow.replace(/ \\\n +/g, ' ')).toBe(wide);
    }
  });

  it('offers --url and --token only where a service is called', async () => {
    for (const command of ['run', 'jobs list', 'assets fetch'])
      expect((await run(['help', ...command.split(' ')])).out).toContain('--url');
    for (const command of ['engine', 'completion', 'version', 'migrate', 'service-token', 'history verify', 'validate'])
      expect((await run(['help', ...command.split(' ')])).out).not.toContain('--url');
  });

  it('has the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const words of [['version'], ['--version'], ['-V']])
      expect(await run(words)).toEqual({ code: 0, out: `heddle ${version}\n`, err: '' });
    expect(await run(['--json', 'version'])).toMatchObject({ out: `{"version":"${version}"}\n` });
  });
});

describe('a slip of the pen', () => {
  it.each([
    ['jbos', 'did you mean heddle jobs?'],
    ['assets uplaod', 'did you mean heddle assets upload?'],
    ['assets', 'assets takes a command: upload,'],
    ['help runn', 'did you mean heddle run?'],
    ['jobs --lmit 3', "unknown option '--lmit'; did you mean --limit?"],
    ['jobs list --label a=b', "unknown option '--label'; did you mean --metadata?"],
    ['run graph.json --label a=b', "unknown option '--label'; did you mean --metadata?"],
    ['--limit 3 jobs', 'option --limit must follow a command'],
    ['--versoin', 'unknown option --versoin; did you mean --version?'],
    ['--url', '--url takes a value, and none follows it'],
    ['-v', 'unknown option -v\n'],
    ['--bogus jobs', 'unknown option --bogus\n'],
    ['jobs --token=', '--token is empty'],
    ['run apps/cli/demo/graph.json --input 1.image=', '--input 1.image has no value'],
    ['run apps/cli/demo/graph.json --out=', '--out is empty'],
    ['watch 0199f2a4 --out=', '--out is empty'],
    [`assets fetch ${JOB} --out -`, 'assets fetch does not write to standard output'],
    ['jobs foo', 'jobs has no command "foo"; it has list, show, logs\n        heddle help jobs explains them'],
    ['run', 'run takes one graph\n        heddle help run explains it'],
    ['logs', 'did you mean heddle jobs logs?'],
    ['show 17', 'did you mean heddle jobs show?'],
    ['upload photo.png', 'did you mean heddle assets upload?'],
    ['ls', 'did you mean heddle jobs list?'],
    ['history diff', 'history diff needs two positions'],
    ['jobs show nope', 'give an id, or at least 4 of the hexadecimal digits of its beginning or end'],
    ['history diff 1', 'history diff needs a second position'],
    ['version extra', 'version takes no arguments'],
    ['history rebuild --schema jobs', 'jobs is the live schema; --schema names a new one, for example jobs_rebuilt'],
    ['history rebuild --schema public', 'public is the live schema'],
    ['assets list', 'assets has no command "list"; it has upload, show, mint, fetch, delete'],
    ['jobs lst', 'did you mean heddle jobs list?'],
    ['help jobs lst', 'did you mean heddle jobs list?'],
    ['jobs list extra', 'jobs list takes no arguments'],
    ['jobs --status done', '--status "done" is unknown; statuses are queued, running,'],
    ['jobs --status queued --status failed', '--status is given twice; several values are one list: --status A,B'],
    ['jobs --limit 2 --all', '--limit does not go with --all'],
    ['--url 127.0.0.1:9 jobs --url 127.0.0.1:9', '--url is given twice; it takes one value'],
    ['watch 0199f2a4 --overwrite', '--overwrite goes with --out DIR'],
    ['assets show 0199f2a4', '"0199f2a4" is a part of an asset id; the whole id is needed'],
    ['assets upload README.md --as ../x', '--as "../x": the placement path must not contain "." or ".." as a segment'],
    ['assets upload README.md --as ', '--as "": the placement path must not be empty'],
    ['assets upload README.md --tag ', '--tag "": tags must not contain an empty tag'],
    [
      `assets upload README.md ${'--tag a '.repeat(17).trim()}`,
      '--tag is given 17 times: there must be at most 16 tags',
    ],
    ['assets mint xyz', '"xyz" is not a hash: a hash is blake3: and 64 lower-case hex digits'],
    ['engine extra', 'engine takes no arguments'],
    ['engine --port 99999', '--port must be a whole number from 0 to 65535, not "99999"'],
    ['engine --data README.md', 'is a file, not a folder'],
    ['history verify --database-url foo', '--database-url "foo" is not a valid URL'],
    ['history verify --data /nope', '/nope holds no data of Heddle'],
    ['registry publsh', 'did you mean heddle registry publish?'],
    ['registry publish --regstry x', "unknown option '--regstry'; did you mean --registry?"],
    ['registry create-token acme --name CI --actions publsh', 'did you mean publish?'],
    ['registry review pack@1.0.0 --status actve', 'did you mean active?'],
    ['registry status pack@1.x', '1.x is not a version'],
    ['registry show pack --registry nowhere', 'the address "nowhere" is not a valid URL'],
    [
      'registry show pack --registry ftp://127.0.0.1',
      'the address "ftp://127.0.0.1" must begin with http:// or https://',
    ],
    ['registry show pack --url nowhere', 'the address "nowhere" is not a valid URL'],
    ['registry versions pack --status actve', 'did you mean active?'],
    ['registry classes pack', 'registry classes takes NODE@VERSION'],
    ['registry request-review pack', 'registry request-review takes NODE@VERSION'],
    ['registry show _pack', '"_pack" is not the id of a node'],
    ['service-token --new-key worker', '--new-key takes no service'],
    ['completion tcsh', 'completion takes a shell: bash, zsh, fish'],
  ])('in "heddle %s" is met with what was meant', async (line, answer) => {
    const { code, out, err } = await run(line.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(answer);
    const json = await run([...line.split(' '), '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ event: 'error', error: { code: 'usage' } });
  });
});

describe('what a command says of a mistake on a terminal', () => {
  it('is broken between words, never within one', async () => {
    const { err } = await run(['jobs'], { ...NOWHERE, NO_COLOR: '1' }, 60);
    const lines = err.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    const plain = (await run(['jobs'], NOWHERE)).err;
    expect(err.split(/\s+/)).toEqual(plain.split(/\s+/));
  });
});

describe('an error that nothing foresaw', () => {
  it('is one line; the stack is printed only for who looks for the cause', async () => {
    const broken = async (env: Record<string, string>): Promise<string> => {
      let err = '';
      const stdout = {
        write: () => {
          throw new Error('the pipe is on fire');
        },
      };
      const stderr = { write: (text: string) => (err += text) };
      expect(await heddle(['version'], { stdout, stderr, env })).toBe(1);
      return err;
    };
    expect((await broken({})).split('\n')[0]).toBe('heddle: unexpected: the pipe is on fire');
    expect(await broken({})).not.toMatch(/^ +at /m);
    expect(await broken({ HEDDLE_LOG_LEVEL: 'debug' })).toMatch(/^ +at /m);
  });
});

describe('options before the command', () => {
  it('mean the same as behind it, and a URL needs no scheme', async () => {
    const { code, out } = await run(['--json', '--url', 'localhost:9', 'jobs', 'list']);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      error: { message: expect.stringContaining('http://localhost:9 ') as string },
    });
    expect(await run(['--url=127.0.0.1:9', 'jobs'])).toMatchObject({ code: 3 });
    expect(await run(['--url', 'ftp://127.0.0.1:9', 'jobs'])).toMatchObject({ code: 2 });
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
