import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '@heddle/contracts-messages';
import type { AssetView, ContentRange, Rejection } from '@heddle/contracts-messages';
import { byteRange } from './byte-range.js';
import { attachment } from './content-disposition.js';

export type ContentHead =
  | { readonly kind: 'unsatisfiable'; readonly contentRange: string; readonly rejection: Rejection }
  | {
      readonly kind: 'content';
      readonly status: 200 | 206;
      readonly head: Readonly<Record<string, string>>;
      /** Both ends included; it ends before it starts where there are no bytes. */
      readonly part: ContentRange;
    };

/** Which bytes of an asset a request gets, and under which head (decisions, Content response). */
export function contentHead(headers: IncomingHttpHeaders, { sizeBytes, filePath, hash }: AssetView): ContentHead {
  const etag = `"${hash}"`;
  const fresh = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = byteRange(fresh ? headers.range : undefined, sizeBytes);
  if (range.kind === 'unsatisfiable') {
    const rejection = refuse('range_not_satisfiable', { case: 'range', size: sizeBytes });
    return { kind: 'unsatisfiable', contentRange: `bytes */${sizeBytes}`, rejection };
  }
  const part = range.kind === 'part' ? { start: range.start, end: range.end } : { start: 0, end: sizeBytes - 1 };
  const head = {
    'content-type': 'application/octet-stream',
    'content-length': String(part.end - part.start + 1),
    'accept-ranges': 'bytes',
    'content-disposition': attachment(filePath),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
    etag,
    ...(range.kind === 'part' ? { 'content-range': `bytes ${part.start}-${part.end}/${sizeBytes}` } : {}),
  };
  return { kind: 'content', status: range.kind === 'part' ? 206 : 200, head, part };
}
