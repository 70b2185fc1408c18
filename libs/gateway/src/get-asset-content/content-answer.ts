import type { IncomingHttpHeaders } from 'node:http';
import type { BytesAnswer } from '@heddle/platform-http';
import { contentHead } from './content-head.js';
import type { ContentFacts } from './content-head.js';
import { resumedContent } from './resumed-content.js';
import type { OpenRange } from './resumed-content.js';

/** The part of a request that decides which bytes it gets. */
export interface ContentRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** The answer to GET and HEAD for bytes: the requested range, opened. */
export async function contentAnswer(
  { method, headers }: ContentRequest,
  facts: ContentFacts,
  open: OpenRange,
): Promise<BytesAnswer> {
  const content = contentHead(headers, facts);
  if (!content.ok) return content;
  const { part, ...head } = content;
  if (method === 'HEAD' || part.end < part.start) return { ...head, body: null };
  const first = await open(part);
  if (!first.ok) return first;
  const close = (): void => void first.value.destroy();
  return { ...head, body: { bytes: resumedContent(open, part, first.value), close } };
}
