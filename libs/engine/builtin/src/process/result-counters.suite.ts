import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NumberedFiles, ResultCounters } from './name-counters.js';

export interface CountersUnderTest {
  readonly counters: ResultCounters;
  /** Writes a file where the engine would. */
  write(subfolder: string, name: string): Promise<void>;
  end(): Promise<void>;
}

/** The contract of what numbers the result files of an engine. */
export function describeResultCounters(name: string, make: () => Promise<CountersUnderTest>): void {
  describe(name, () => {
    let under: CountersUnderTest;
    beforeEach(async () => {
      under = await make();
    });
    afterEach(() => under.end());

    /** Takes numbers and writes the files, as a node does. */
    async function save(base: string, { count = 1, subfolder = '' }: Partial<NumberedFiles> = {}): Promise<number> {
      const first = await under.counters.take({ account: '', subfolder, base, count });
      for (let at = 0; at < count; at += 1) {
        const number = String(first + at).padStart(5, '0');
        await under.write(subfolder, `${base.replaceAll('%batch_num%', String(at))}_${number}_.png`);
      }
      return first;
    }

    it('begin with 1 and go on behind the last file', async () => {
      expect([await save('a'), await save('a', { count: 3 }), await save('a')]).toEqual([1, 2, 5]);
    });

    it('are those of a folder and a base name, also if one base name begins with another', async () => {
      await save('a', { count: 7 });
      expect(await save('b')).toBe(1);
      expect(await save('a', { subfolder: 'sub' })).toBe(1);
      expect(await save('a_b')).toBe(1);
      expect(await save('ab')).toBe(1);
      expect(await save('a')).toBe(8);
    });

    it('begin with 1 each time if the number of the batch is part of the name', async () => {
      for (let n = 0; n < 3; n += 1) expect(await save('a_%batch_num%', { count: 2 })).toBe(1);
    });
  });
}
