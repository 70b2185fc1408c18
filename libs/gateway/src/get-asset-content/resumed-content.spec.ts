import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { resumedContent } from './resumed-content.js';

const BYTES = Buffer.from('0123456789');

/** Content whose sources break off after so many bytes each. */
function content(breaks: readonly number[]): {
  opened: number[];
  open(part?: { start: number; end: number }): Promise<Readable>;
} {
  const opened: number[] = [];
  return {
    opened,
    open: (part = { start: 0, end: BYTES.length - 1 }) => {
      opened.push(part.start);
      const bytes = BYTES.subarray(part.start, part.end + 1);
      const length = breaks[opened.length - 1] ?? bytes.length;
      return Promise.resolve(
        Readable.from(
          (function* () {
            if (length > 0) yield bytes.subarray(0, length);
            if (length < bytes.length) throw new Error('broken off');
          })(),
        ),
      );
    },
  };
}

async function read(
  breaks: readonly number[],
  part = { start: 0, end: 9 },
): Promise<{ text: string; opened: number[] }> {
  const from = content(breaks);
  let text = '';
  for await (const chunk of resumedContent(from, part, await from.open(part))) text += chunk.toString();
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
