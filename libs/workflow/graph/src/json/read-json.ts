import { findDuplicateKey } from './walk-json.js';
import { scanJson, type ScanFailure, type ScanLimits, type ScanOptions, type ScanReport } from './scan-json.js';
import type { JsonPath, JsonValue } from './json-value.js';

export type ReadFailure =
  | { readonly ok: false; readonly reason: ScanFailure | 'invalid_utf8' | 'invalid_json' }
  | { readonly ok: false; readonly reason: 'duplicate_key'; readonly path: JsonPath };

export type ReadResult =
  { readonly ok: true; readonly value: JsonValue; readonly text: string; readonly scan: ScanReport } | ReadFailure;

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON document strictly. The native parser builds the values; one scan of the bytes adds what it hides: depth before
 * anything is built, repeated keys (as many keys in the text as in the tree, or there is one), large integers, spans.
 */
export function readJson(bytes: Uint8Array, limits: ScanLimits, options: ScanOptions): ReadResult {
  const scan = scanJson(bytes, limits, options);
  if (typeof scan === 'string') return { ok: false, reason: scan };
  let text: string;
  try {
    text = strictDecoder.decode(bytes);
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
  for (const found of scan.largeIntegers) replaceAt(value, found.path, found.value);
  return { ok: true, value, text, scan };
}

/** Number of keys of all objects in a tree. Recursion is bounded by the depth that the scan allowed. */
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
  // JSON.parse makes own properties only, and Object.prototype has no enumerable ones: for-in sees exactly the keys.
  for (const key in value) {
    count++;
    const item = value[key];
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

/** The value under a key or index of a tree, or undefined where there is none. */
export function childAt(holder: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) return undefined;
  return (holder as Record<string | number, JsonValue>)[step];
}
