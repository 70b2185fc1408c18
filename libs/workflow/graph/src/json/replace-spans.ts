import type { ByteSpan } from './json-value.js';

export interface SpanReplacement extends ByteSpan {
  /** Replacement text, already JSON. */
  readonly text: string;
}

const encoder = new TextEncoder();

/**
 * Replaces spans of bytes; everything else stays byte for byte. Spans must lie within the bytes and must not overlap;
 * otherwise it throws a RangeError.
 */
export function replaceSpans(bytes: Uint8Array, replacements: readonly SpanReplacement[]): Uint8Array {
  const ordered = replacements
    .map(({ start, end, text }) => ({ start, end, content: encoder.encode(text) }))
    .sort((a, b) => a.start - b.start);
  let size = bytes.length;
  let reached = 0;
  for (const { start, end, content } of ordered) {
    if (start < reached || end < start || end > bytes.length) throw new RangeError('Overlapping or outlying span');
    reached = end;
    size += content.length - (end - start);
  }
  const result = new Uint8Array(size);
  let from = 0;
  let to = 0;
  for (const { start, end, content } of ordered) {
    result.set(bytes.subarray(from, start), to);
    to += start - from;
    result.set(content, to);
    to += content.length;
    from = end;
  }
  result.set(bytes.subarray(from), to);
  return result;
}
