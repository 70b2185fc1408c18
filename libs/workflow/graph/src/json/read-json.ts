import { findDuplicateKey, visitValuesAt } from './walk-json.js';
import { scanJson, type ScanFailure, type ScanLimits, type ScanReport } from './scan-json.js';
import type { JsonPath, JsonValue } from './json-value.js';
import { replaceSpans } from './replace-spans.js';

export type ReadFailure =
  | { readonly ok: false; readonly reason: ScanFailure | 'invalid_utf8' | 'invalid_json' }
  | { readonly ok: false; readonly reason: 'duplicate_key'; readonly path: JsonPath };

export interface JsonDocument {
  readonly ok: true;
  /** Integers are doubles here; `makeExact` replaces object values beyond double precision with bigints. */
  readonly value: JsonValue;
  readonly text: string;
  readonly scan: ScanReport;
}

interface ReadOptions {
  /** Nesting depth of `[node, slot]` arrays, themselves counted; 0 skips the search. */
  readonly linkDepth?: number;
  /**
   * Returns integers of 16 or more digits in objects as texts prefixed with NUL (read them with `quotedInteger`), which
   * saves the second walk of `makeExact`. For documents that are read once and compiled.
   */
  readonly quoteLongIntegers?: boolean;
}

type ReadResult = JsonDocument | ReadFailure;

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON document strictly. The native parser builds the values; one scan of the bytes adds what it hides: depth
 * before anything is built, repeated keys (more keys in the text than in the tree), number forms, spans.
 */
export function readJson(
  bytes: Uint8Array,
  limits: ScanLimits,
  { linkDepth = 0, quoteLongIntegers = false }: ReadOptions = {},
): ReadResult {
  const scan = scanJson(bytes, limits, linkDepth);
  if (typeof scan === 'string') return { ok: false, reason: scan };
  let text: string;
  try {
    text = strictDecoder.decode(quoteLongIntegers ? withQuotedIntegers(bytes, scan) : bytes);
  } catch {
    return { ok: false, reason: 'invalid_utf8' };
  }
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return { ok: false, reason: 'invalid_json' };
  }
  if (countKeys(value) !== scan.keys) {
    return { ok: false, reason: 'duplicate_key', path: findDuplicateKey(bytes) ?? [] };
  }
  return { ok: true, value, text, scan };
}

/**
 * Replaces every object value beyond double precision with a bigint (seeds go up to 2^64 - 1). It walks the whole text,
 * so it is deferred until a comparison depends on it.
 */
export function makeExact(bytes: Uint8Array, { value, scan }: JsonDocument): void {
  visitValuesAt(bytes, scan.longIntegers, (path, span) => {
    const token = strictDecoder.decode(bytes.subarray(span.start, span.end));
    if (!Number.isSafeInteger(Number(token))) replaceAt(value, path, BigInt(token));
  });
}

const QUOTED_INTEGER = /^\0-?\d{1,64}$/;

/** The integer behind a NUL-prefixed text; null for other values. */
export function quotedInteger(value: JsonValue | undefined): number | bigint | null {
  if (typeof value !== 'string' || !QUOTED_INTEGER.test(value)) return null;
  const integer = BigInt(value.slice(1));
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

function withQuotedIntegers(bytes: Uint8Array, { longIntegers }: ScanReport): Uint8Array {
  if (longIntegers.length === 0) return bytes;
  // A leading zero is not valid JSON: leave it for the parser to refuse.
  const wellFormed = longIntegers.filter((start) => bytes[bytes[start] === 0x2d ? start + 1 : start] !== 0x30);
  const spans = wellFormed.map((start) => {
    let end = start + 1;
    while (end < bytes.length && bytes[end]! >= 0x30 && bytes[end]! <= 0x39) end++;
    return { start, end, text: `"\\u0000${strictDecoder.decode(bytes.subarray(start, end))}"` };
  });
  return replaceSpans(bytes, spans);
}

/** Number of keys of all objects in a tree. Recursion is bounded by the scan's depth limit. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i];
      if (typeof item === 'object' && item !== null) count += countKeys(item);
    }
    return count;
  }
  const keys = Object.keys(value);
  count = keys.length;
  for (let i = 0; i < keys.length; i++) {
    const item = value[keys[i]!];
    if (typeof item === 'object' && item !== null) count += countKeys(item);
  }
  return count;
}

function replaceAt(root: JsonValue, path: JsonPath, value: bigint): void {
  let holder: JsonValue | undefined = root;
  for (let i = 0; i < path.length - 1; i++) holder = childAt(holder, path[i]!);
  const last = path[path.length - 1];
  if (typeof holder !== 'object' || holder === null || last === undefined) return;
  Object.defineProperty(holder, last, { value, enumerable: true, writable: true, configurable: true });
}

/** The value of a key or index, or undefined. */
export function childAt(holder: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) return undefined;
  return (holder as Record<string | number, JsonValue>)[step];
}
