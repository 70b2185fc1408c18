import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { program } from '@heddle/platform-telemetry/program';
import { describe, expect, it } from 'vitest';

interface Ended {
  readonly code: number | null;
  readonly err: string;
}

/** The command with a standard output of the caller's; `pipe`: its reader has left before the first line. */
async function heddleInto(stdout: number | 'pipe', words: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [...program('cli'), ...words], { stdio: ['ignore', stdout, 'pipe'] });
  child.stdout?.destroy();
  let err = '';
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return await new Promise((done) => child.once('close', (code) => done({ code, err })));
}

describe.runIf(process.platform === 'linux')('a device without space', () => {
  it.each([[['--help']], [['version', '--json']], [['validate', 'apps/cli/demo/graph.json']]])(
    'is named in one sentence by heddle %j',
    async (words) => {
      const full = openSync('/dev/full', 'w');
      try {
        expect(await heddleInto(full, words)).toEqual({
          code: 1,
          err: 'heddle: standard output cannot be written: no space is left\n',
        });
      } finally {
        closeSync(full);
      }
    },
  );
});

describe('a pipe whose reader has left', () => {
  it('ends a list with exit code 0, and loses neither a judgement nor the code of a failure', async () => {
    expect(await heddleInto('pipe', ['completion', 'bash'])).toEqual({ code: 0, err: '' });
    for (const json of [[], ['--json']])
      expect(await heddleInto('pipe', ['validate', ...json, 'package.json', 'package.json'])).toEqual({
        code: 1,
        err: '',
      });
    expect((await heddleInto('pipe', ['jobs', '--json', '--url', '127.0.0.1:9'])).code).toBe(3);
  });
});
