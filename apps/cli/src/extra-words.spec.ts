import { expect, it } from 'vitest';
import { COMMANDS } from './command-table.js';
import { heddleInProcess } from './heddle-in-process.fixture.js';

const ID = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';

/** A word that fits, for each placeholder of a usage. */
const WORDS: Readonly<Record<string, string>> = {
  'GRAPH.json': 'apps/cli/demo/graph.json',
  JOB: ID,
  ASSET: ID,
  HASH: 'blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262',
  SQL: 'select 1',
  POSITION: '1',
  A: '1',
  B: '2',
  TYPE: 'JobSubmitted',
  LETTER: 'heddle.jobs.events.v1@12',
  NAME: 'acme',
  ID: 'a1b2c3d4e5f6g7h8',
  LABEL: 'alpha',
  ACCOUNT: 'acme',
  AMOUNT: '5',
  NODE: 'pack',
  'NODE@VERSION': 'pack@1.0.0',
  PUBLISHER: 'acme',
  TASK: ID,
  DIR: 'apps',
  SERVICE: 'gateway',
  'bash|zsh|fish': 'bash',
};

/** They take any number of words, or pass them on. */
const isOpen = ({ name, words, raw }: (typeof COMMANDS)[number]): boolean =>
  raw === true || words.includes('...') || name === 'registry search';

const wordsOf = (usage: string): string[] =>
  usage
    .replace('NODE[@VERSION]', 'NODE')
    .replace(/[[\]]/g, '')
    .split(' ')
    .filter(Boolean)
    .map((placeholder) => WORDS[placeholder] ?? `no word for ${placeholder}`);

it.each(COMMANDS.filter((command) => !isOpen(command)).map(({ name, words }) => [name, words] as const))(
  'heddle %s refuses a word more than %j',
  async (name, usage) => {
    const { code, out, err } = await heddleInProcess([...name.split(' '), ...wordsOf(usage), 'zz'], {
      HEDDLE_URL: 'http://127.0.0.1:9',
    });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^heddle: .* takes? /);
  },
);
