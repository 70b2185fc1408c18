import { Readable } from 'node:stream';
import { accepted } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { resumedContent } from './resumed-content.js';
import type { OpenRange } from './resumed-content.js';

const BYTES = Buffer.from('0123456789');

/** Content whose sources break off after the given numbers of bytes. */
function content(breaks: readonly number[]): {
  opened: number[];
  open: OpenRange;
} {
  const opened: number[] = [];
  return {
    opened,
    open: (part) => {
      opened.push(part.start);
      const bytes = BYTES.subarray(part.start, part.end + 1);
      const length = breaks[opened.length - 1] ?? bytes.length;
      const source = function* () {
        if (length > 0) yield bytes.subarray(0, length);
        if (length < bytes.length) throw new Error('broken off');
      };
      return Promise.resolve(accepted(Readable.from(source())));
    },
  };
}

async function read(
  breaks: readonly number[],
  part = { start: 0, end: 9 },
): Promise<{ text: string; opened: number[] }> {
  const from = content(breaks);
  let text = '';
  const first = await from.open(part);
  if (!first.ok) throw new Error('it opens');
  for await (const chunk of resumedContent(from.open, part, first.value)) text += chunk.toString();
  return { text, opened: from.opened };
}

describe('content whose source breaks off', () => {
  it('goes on where it ended, as often as something came', async () => {
    expect(await read([])).toEqual({ text: '0123456789', opened: [0] });
    expect(await read([3, 4])).toEqual({ text: '0123456789', opened: [0, 3, 7] });
    expect(await read([2], { start: 4, end: 7 })).toEqual({ text: '4567', opened: [4, 6] });
  });

  it('fails where nothing came', async () => {
    await expect(read([0])).rejects.toThrow('broken off');
    await expect(read([3, 0])).rejects.toThrow('broken off');
  });
});
