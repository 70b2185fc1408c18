import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DiskThreads } from './disk-threads.js';
import type { KeyPath } from './key-path.js';

const ENDING = fileURLToPath(new URL('../../fixtures/ending-thread.mjs', import.meta.url));
const task = (finished: string): KeyPath => ({ folder: '', unfinished: '', finished });

describe('threads that write to the disk and end', () => {
  const write = (threads: DiskThreads, name: string): Promise<void> => threads.write(task(name), new Uint8Array(1));

  it('are replaced, also when they rested', async () => {
    const threads = new DiskThreads(ENDING);
    // More than there are threads at once, one after the other and side by side.
    for (let round = 0; round < 6; round += 1) await write(threads, 'answer').catch(() => undefined);
    const side = await Promise.allSettled(Array.from({ length: 12 }, () => write(threads, 'answer')));
    expect(side).toHaveLength(12);
    expect(side.some(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it.each(['leave', 'throw'])('fail what they were writing (%s), and nothing else', async (how) => {
    const threads = new DiskThreads(ENDING);
    await expect(write(threads, how)).rejects.toThrow('a thread that writes to the disk ended');
    await expect(write(threads, 'answer')).resolves.toBeUndefined();
  });
});
