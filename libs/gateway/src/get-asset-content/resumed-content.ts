import type { Readable } from 'node:stream';
import type { Answer, ContentRange } from '@heddle/contracts-messages';

export type OpenRange = (range: ContentRange) => Promise<Answer<Readable>>;

/**
 * The bytes from `start` to `end` inclusive; `first` is the opened source. A source that breaks off is reopened where
 * it ended: an asset's bytes never change, and the assets service cuts a reader that stalls, which behind a slow client
 * is this one. Throws if a source breaks off before its first byte.
 */
export async function* resumedContent(
  open: OpenRange,
  { start, end }: ContentRange,
  first: Readable,
): AsyncGenerator<Buffer> {
  for (let at = start, source: Readable | null = first; at <= end; source = null) {
    const begin = at;
    source ??= await reopened(open, { start: at, end });
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        at += chunk.length;
        yield chunk;
      }
    } catch (error) {
      if (at === begin) throw error;
    }
    if (at === begin) throw new Error(`the content ended at byte ${at}, before ${end}`);
  }
}

async function reopened(open: OpenRange, range: ContentRange): Promise<Readable> {
  const answer = await open(range);
  if (answer.ok) return answer.value;
  throw new Error(`the content went while it was read: ${answer.rejection.message}`);
}
