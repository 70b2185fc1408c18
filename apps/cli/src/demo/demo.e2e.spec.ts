import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Each test is a whole demonstration: a new database, a service, five commands. */
const WITHIN_MS = 240_000;
const MAIN = fileURLToPath(new URL('../../dist/demo/main.js', import.meta.url));

function startDemo(...words: string[]) {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      for (const listener of listeners) listener();
    });
  const ended = new Promise<{ code: number | null; out: string }>((done) =>
    child.once('close', (code) => done({ code, out })),
  );
  const printed = (text: string): Promise<void> =>
    new Promise((done, fail) => {
      void ended.then(() => fail(new Error(`it ended without printing "${text}":\n${out}`)));
      const look = (): void => (out.includes(text) ? done() : undefined);
      listeners.add(look);
      look();
    });
  return { child, ended, printed };
}

const leftOvers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('heddle-demo-'));

describe('npm run demo', { timeout: WITHIN_MS }, () => {
  it('shows a picture going through a graph, proves the outputs, prints the history, and leaves nothing', async () => {
    const before = leftOvers();
    const { code, out } = await startDemo().ended;
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toContain('3 files have the BLAKE3 hashes');
    expect(out).toContain('succeeded: 11/11 nodes');
    expect(leftOvers()).toEqual(before);
  });

  it('explains itself, and refuses what it does not know, without starting anything', async () => {
    const help = await startDemo('--help').ended;
    expect(help).toMatchObject({ code: 0 });
    expect(help.out).toContain('--keep');
    const mistaken = await startDemo('--kep').ended;
    expect(mistaken).toMatchObject({ code: 2 });
    expect(mistaken.out).toContain('no option "--kep"');
  });

  it('keeps the outputs where --keep says so', async () => {
    const { code, out } = await startDemo('--keep').ended;
    const folder = /the outputs are in (\S+)/.exec(out)?.[1] ?? '';
    expect(code).toBe(0);
    expect(readdirSync(folder)).toHaveLength(3);
    rmSync(folder, { recursive: true });
  });

  it('stops everything when it is interrupted', async () => {
    const before = leftOvers();
    const { child, ended, printed } = startDemo();
    await printed('2. a picture');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(leftOvers()).toEqual(before);
  });
});
