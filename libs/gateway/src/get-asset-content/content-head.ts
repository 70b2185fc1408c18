import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '@heddle/contracts-messages';
import type { AssetView, ContentRange, Rejection } from '@heddle/contracts-messages';
import { attachment } from '@heddle/platform-blob-store/content-disposition';
import { byteRange } from '@heddle/platform-http';

type Headers = Readonly<Record<string, string>>;

type ContentHead =
  | { readonly ok: false; readonly rejection: Rejection; readonly headers: Headers }
  | {
      readonly ok: true;
      readonly status: 200 | 206;
      readonly headers: Headers;
      /** Both ends included; it ends before it starts if there are no bytes. */
      readonly part: ContentRange;
    };

/** What the head of bytes is made of. */
export type ContentFacts = Pick<AssetView, 'sizeBytes' | 'filePath' | 'hash'>;

/** Which bytes of an asset a request gets, and under which head (decisions, Content response). */
export function contentHead(asked: IncomingHttpHeaders, { sizeBytes, filePath, hash }: ContentFacts): ContentHead {
  const etag = `"${hash}"`;
  const fresh = asked['if-range'] === undefined || asked['if-range'] === etag;
  const range = byteRange(fresh ? asked.range : undefined, sizeBytes);
  if (range.kind === 'unsatisfiable') {
    const rejection = refuse('range_not_satisfiable', { case: 'range', size: sizeBytes });
    return { ok: false, rejection, headers: { 'content-range': `bytes */${sizeBytes}` } };
  }
  const part = range.kind === 'part' ? { start: range.start, end: range.end } : { start: 0, end: sizeBytes - 1 };
  const headers = {
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
  return { ok: true, status: range.kind === 'part' ? 206 : 200, headers, part };
}
