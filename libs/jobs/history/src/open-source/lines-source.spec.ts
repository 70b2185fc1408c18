import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { linesOf } from '../logged-jobs.fixture.js';
import { describeHistorySource } from './history-source.suite.js';
import { LinesSource } from './lines-source.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Chunks end anywhere, also within a line. */
async function* inChunks(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += 777) yield await Promise.resolve(Buffer.from(text.slice(at, at + 777)));
}

describeHistorySource('of event lines', async (events) => {
  const text = linesOf(events).join('\n');
  return await Promise.resolve({
    open: () => new LinesSource(inChunks(text)),
    canSearch: false,
    end: () => Promise.resolve(),
  });
});

it('keeps no chunk that it has read', async () => {
  const chunks: WeakRef<Buffer>[] = [];
  async function* input(): AsyncGenerator<Buffer> {
    for (let n = 0; n < 20; n++) {
      const chunk = Buffer.alloc(1_000, '\n');
      chunks.push(new WeakRef(chunk));
      yield chunk;
    }
    await turn();
    collect();
    await turn();
    // The last one is still in the hands of its reader.
    expect(chunks.filter((chunk) => chunk.deref() !== undefined).length).toBeLessThan(3);
  }
  for await (const _ of new LinesSource(input()).all(new AbortController().signal)) expect.unreachable();
  expect(chunks).toHaveLength(20);
});

it('an abort does not wait for the next chunk', async () => {
  const ended = new AbortController();
  async function* input(): AsyncGenerator<string> {
    yield '\n';
    setTimeout(() => ended.abort(new Error('interrupted')), 10);
    await new Promise(() => undefined);
  }
  const read = new LinesSource(input()).all(ended.signal).next();
  await expect(read).rejects.toThrow('interrupted');
});
