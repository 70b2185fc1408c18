import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { program } from '@heddle/platform-telemetry/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Mistake {
  readonly what: string;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly says: string | RegExp;
}

let folder: string;
const taken = createServer();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-mistakes-'));
  writeFileSync(join(folder, 'file'), '');
  await once(taken.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  taken.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the launcher; FOLDER and PORT are replaced with the values of the run. */
async function launched({ words = [], env = {} }: Mistake): Promise<{ code: number | null; err: string; out: string }> {
  const port = String((taken.address() as AddressInfo).port);
  const filled = (text: string): string => text.replace('FOLDER', folder).replace('PORT', port);
  const child = spawn(process.execPath, [...program('cluster'), ...words.map(filled)], {
    env: {
      PATH: process.env['PATH'],
      HEDDLE_DATA: join(folder, 'data'),
      HEDDLE_PORT: '0',
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** Named so that no local server starts; nothing listens there. */
const FOREIGN_SERVERS = {
  HEDDLE_KAFKA_BROKERS: '127.0.0.1:1',
  HEDDLE_S3_ENDPOINT: 'http://127.0.0.1:1',
  HEDDLE_S3_BUCKET: 'heddle',
  HEDDLE_S3_ACCESS_KEY: 'key',
  HEDDLE_S3_SECRET_KEY: 'secret',
};

const MISTAKES: readonly Mistake[] = [
  {
    what: 'an unknown flag',
    words: ['--stauts'],
    code: 2,
    says: 'heddle: unknown setting "--stauts"; did you mean --status?\n',
  },
  { what: 'an unknown flag with a value', words: ['--prot', '80'], code: 2, says: /did you mean --port\?/ },
  {
    what: 'a word that is no flag',
    words: ['status'],
    code: 2,
    says: 'heddle: "status" is not an option; --help lists them\n',
  },
  { what: 'a flag without its value', words: ['--port'], code: 2, says: /--port needs a value/ },
  { what: 'two commands', words: ['--status', '--down'], code: 2, says: /--status and --down exclude each other/ },
  { what: '--json without --status', words: ['--json'], code: 2, says: /--json requires --status/ },
  {
    what: 'a deployment without workers',
    words: ['--deployments', 'alpha=1,beta=0'],
    code: 2,
    says: 'heddle: --deployments: beta needs a whole number of workers from 1 to 32, not "0"; for example beta=1\n',
  },
  {
    what: 'deployments on self-hosted',
    words: ['--deployments', 'alpha=1', '--surface', 'self-hosted'],
    code: 2,
    says: /--deployments needs HEDDLE_SURFACE=managed or dedicated/,
  },
  {
    what: 'a port that is in use',
    words: ['--port', 'PORT'],
    code: 2,
    says: /port \d+ is in use by process \d+ .*: .*HEDDLE_PORT/,
  },
  {
    what: 'a data folder that is a file',
    words: ['--data', 'FOLDER/file'],
    code: 1,
    says: /The data directory \S+file cannot be used: .+HEDDLE_DATA/,
  },
  {
    what: 'a data folder that cannot be made',
    words: ['--data', 'FOLDER/file/x'],
    code: 1,
    says: /cannot be used: .+HEDDLE_DATA/,
  },
  {
    what: 'a data folder that cannot be made in the background',
    words: ['--detach', '--data', 'FOLDER/file'],
    code: 1,
    says: /cannot be used/,
  },
  {
    what: 'no Java',
    env: { PATH: dirname(process.execPath) },
    code: 1,
    says: /Apache Kafka needs Java 17 or newer as "java" on the PATH/,
  },
  {
    what: 'a database URL that is none',
    env: { ...FOREIGN_SERVERS, HEDDLE_DATABASE_URL: 'nowhere' },
    code: 2,
    says: /HEDDLE_DATABASE_URL is not a URL, such as postgres:/,
  },
  {
    what: 'a database that does not answer',
    env: {
      ...FOREIGN_SERVERS,
      HEDDLE_DATABASE_URL: 'postgres://heddle:x@127.0.0.1:1/heddle',
    },
    code: 1,
    says: /The database of HEDDLE_DATABASE_URL cannot be used: .+/,
  },
  { what: '--status where nothing runs', words: ['--status'], code: 1, says: /^heddle: no cluster runs in \S+data\n$/ },
];

describe('a mistake at the launcher of a cluster', () => {
  it.each(MISTAKES)('is reported in one line, without a stack: $what', async (mistake) => {
    const { code, err, out } = await launched(mistake);
    expect(err).toMatch(mistake.says);
    expect(err).not.toMatch(/^ {4}at /m);
    expect({ code, out }).toEqual({ code: mistake.code, out: '' });
  });

  it('is reported as JSON by --status --json', async () => {
    const { code, out } = await launched({ what: '', words: ['--status', '--json'], code: 1, says: '' });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ running: false, processes: [] });
  });
});
