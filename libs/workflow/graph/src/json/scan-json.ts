import type { ByteSpan, JsonPath } from './json-value.js';

/** What one pass over the bytes may find before anything is built from them. */
export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxKeys: number;
  readonly maxNumberLength: number;
}

export interface ScanOptions {
  /** Nesting depth of the `[node, slot]` arrays: 4 in a bare workflow, 5 in a submission; 0 looks for none. */
  readonly linkDepth: number;
  /** Also locate large integers inside arrays (trusted documents only: each costs a path). */
  readonly insideArrays: boolean;
}

/** An integer that a double cannot hold, with its place in the document. */
export interface LargeInteger {
  readonly path: JsonPath;
  readonly value: bigint;
}

export interface ScanReport {
  /** Number of keys in all objects, repeated ones counted each time. */
  readonly keys: number;
  /** Length in bytes of the longest string token, quotes included. */
  readonly longestString: number;
  readonly hasEscapes: boolean;
  readonly topLevel: readonly { readonly key: ByteSpan; readonly value: ByteSpan }[];
  readonly largeIntegers: readonly LargeInteger[];
  /** Places of second link elements written as `0.0` or `0e0`: equal to an integer, yet none for the engine. */
  readonly fractionalSlots: readonly JsonPath[];
}

export type ScanFailure = 'too_deep' | 'too_many_keys' | 'number_too_long' | 'unterminated';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Measures a document without building it: depth, keys, number forms and the spans of the top-level values. It accepts
 * malformed text (JSON.parse judges syntax afterwards); its only promise there is to end and to stay within the limits.
 */
export function scanJson(bytes: Uint8Array, limits: ScanLimits, options: ScanOptions): ScanReport | ScanFailure {
  const length = bytes.length;
  const { maxDepth, maxKeys, maxNumberLength } = limits;
  const { linkDepth, insideArrays } = options;
  const commas = new Int32Array(maxDepth + 2);
  const keyStart = new Int32Array(maxDepth + 2);
  const isArray = new Uint8Array(maxDepth + 2);
  const topLevel: { key: ByteSpan; value: ByteSpan }[] = [];
  const largeIntegers: LargeInteger[] = [];
  const fractionalSlots: JsonPath[] = [];
  let depth = 0;
  let arrays = 0;
  let keys = 0;
  let longestString = 0;
  let hasEscapes = false;
  let lastString = 0;
  let valueStart = -1;
  let i = 0;

  while (i < length) {
    const c = bytes[i]!;
    if (c === 0x22) {
      lastString = i++;
      let d = 0;
      while (i < length && (d = bytes[i]!) !== 0x22) {
        if (d === 0x5c) {
          hasEscapes = true;
          i++;
        }
        i++;
      }
      if (i >= length) return 'unterminated';
      i++;
      if (i - lastString > longestString) longestString = i - lastString;
    } else if (c === 0x2c) {
      if (depth === 1 && valueStart >= 0) {
        topLevel.push({ key: keySpan(bytes, keyStart[1]!), value: trimmed(bytes, valueStart, i) });
        valueStart = -1;
      }
      commas[depth]!++;
      i++;
    } else if (c === 0x3a) {
      if (++keys > maxKeys) return 'too_many_keys';
      keyStart[depth] = lastString;
      i++;
      if (depth === 1) valueStart = i;
    } else if (c === 0x7b || c === 0x5b) {
      if (++depth > maxDepth) return 'too_deep';
      commas[depth] = 0;
      isArray[depth] = c === 0x5b ? 1 : 0;
      arrays += isArray[depth]!;
      i++;
    } else if (c === 0x7d || c === 0x5d) {
      if (depth === 1 && valueStart >= 0) {
        topLevel.push({ key: keySpan(bytes, keyStart[1]!), value: trimmed(bytes, valueStart, i) });
        valueStart = -1;
      }
      if (depth > 0) arrays -= isArray[depth--]!;
      i++;
    } else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      const start = i++;
      let plain = true;
      while (i < length) {
        const d = bytes[i]!;
        if (d >= 0x30 && d <= 0x39) i++;
        else if (d === 0x2e || d === 0x65 || d === 0x45 || d === 0x2b || d === 0x2d) {
          plain = false;
          i++;
        } else break;
      }
      const size = i - start;
      if (size > maxNumberLength) return 'number_too_long';
      if (plain) {
        if (size >= 16 && (arrays === 0 || insideArrays)) {
          const value = largeInteger(bytes, start, i);
          if (value !== null) largeIntegers.push({ path: pathHere(), value });
        }
      } else if (depth === linkDepth && arrays === 1 && isArray[depth] === 1 && commas[depth] === 1) {
        fractionalSlots.push(pathHere());
      }
    } else i++;
  }
  return { keys, longestString, hasEscapes, topLevel, largeIntegers, fractionalSlots };

  function pathHere(): JsonPath {
    const path: (string | number)[] = [];
    for (let d = 1; d <= depth; d++) path.push(isArray[d] === 1 ? commas[d]! : decodeKey(bytes, keyStart[d]!));
    return path;
  }
}

/** The text of the string token that starts at an offset; the token's own text where it is malformed. */
export function decodeKey(bytes: Uint8Array, start: number): string {
  const { end } = keySpan(bytes, start);
  const token = decoder.decode(bytes.subarray(start, end));
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

function keySpan(bytes: Uint8Array, start: number): ByteSpan {
  let end = start + 1;
  while (end < bytes.length && bytes[end] !== 0x22) end += bytes[end] === 0x5c ? 2 : 1;
  return { start, end: Math.min(end + 1, bytes.length) };
}

function trimmed(bytes: Uint8Array, from: number, to: number): ByteSpan {
  let start = from;
  let end = to;
  while (start < end && bytes[start]! <= 0x20) start++;
  while (end > start && bytes[end - 1]! <= 0x20) end--;
  return { start, end };
}

function largeInteger(bytes: Uint8Array, start: number, end: number): bigint | null {
  const token = decoder.decode(bytes.subarray(start, end));
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? BigInt(token) : null;
}
