import type { ByteSpan } from './json-value.js';

/** Limits on what one pass over the bytes may find, before anything is built. */
export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxKeys: number;
  /** Lists and objects together: each costs far more memory than its two bytes of text. */
  readonly maxLists: number;
  readonly maxNumberLength: number;
}

/** Properties of a document that JSON.parse does not report. */
export interface ScanReport {
  /** Number of keys in all objects; repeated keys count each time. */
  readonly keys: number;
  /** Length of the longest string token in bytes, quotes included. */
  readonly longestString: number;
  readonly hasEscapes: boolean;
  /** Keys and values of the top-level object. */
  readonly topLevel: readonly { readonly key: ByteSpan; readonly value: ByteSpan }[];
  /** Start offsets of integers of 16 or more digits in objects: some exceed double precision. */
  readonly longIntegers: readonly number[];
  /** Start offsets of last array elements with a fraction or an exponent, at link depth. */
  readonly fractionsInLinks: readonly number[];
}

export type ScanFailure = 'too_deep' | 'too_many_keys' | 'too_many_lists' | 'number_too_long' | 'unterminated';

/** Integers with fewer digits are exact as doubles. */
const LONG_INTEGER = 16;
const NUMBER_HEAD = 128;
const NUMBER_BEGINS = /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?$/;
/** Twice the links that a graph may have; further ones are not recorded. */
const MAX_FRACTIONS = 100_000;

/**
 * Measures a document without building it: depth, keys, number forms and the spans of the top-level values. It accepts
 * malformed text (JSON.parse checks syntax afterwards) and then only promises to end within the limits. `linkDepth` is
 * the nesting depth of `[node, slot]` arrays, themselves counted: 4 in a bare workflow, 0 to skip them.
 *
 * Most of a submission's validation time is spent in this loop, so it allocates nothing per token.
 */
export function scanJson(bytes: Uint8Array, limits: ScanLimits, linkDepth: number): ScanReport | ScanFailure {
  const length = bytes.length;
  const { maxDepth, maxKeys, maxLists, maxNumberLength } = limits;
  const topLevel: { key: ByteSpan; value: ByteSpan }[] = [];
  const longIntegers: number[] = [];
  const fractionsInLinks: number[] = [];
  let depth = 0;
  let keys = 0;
  let lists = 0;
  let longestString = 0;
  let hasEscapes = false;
  let keyStart = 0;
  let keyEnd = 0;
  let valueStart = -1;
  let i = 0;

  while (i < length) {
    const c = bytes[i]!;
    if (c === 0x22) {
      const start = i++;
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
      if (i - start > longestString) longestString = i - start;
      if (bytes[i] === 0x3a) {
        // A key in the usual form: consume the colon at once, which saves an iteration.
        if (++keys > maxKeys) return 'too_many_keys';
        if (depth === 1) {
          keyStart = start;
          keyEnd = i;
          valueStart = i + 1;
        }
        i++;
      } else if (depth === 1 && valueStart < 0) {
        keyStart = start;
        keyEnd = i;
      }
    } else if (c === 0x2c) {
      if (depth === 1 && valueStart >= 0) {
        topLevel.push(entry(bytes, keyStart, keyEnd, valueStart, i));
        valueStart = -1;
      }
      i++;
    } else if ((c >= 0x30 && c <= 0x39) || c === 0x2d) {
      const start = i++;
      while (i < length && bytes[i]! >= 0x30 && bytes[i]! <= 0x39) i++;
      if (i < length && isFractionOrExponent(bytes[i]!)) {
        while (i < length && (isFractionOrExponent(bytes[i]!) || (bytes[i]! >= 0x30 && bytes[i]! <= 0x39))) i++;
        if (depth === linkDepth && fractionsInLinks.length < MAX_FRACTIONS && closesArray(bytes, i)) {
          fractionsInLinks.push(start);
        }
      } else if (i - start >= LONG_INTEGER && followsKey(bytes, start)) longIntegers.push(start);
      if (i - start > maxNumberLength && isNumber(bytes, start, i)) return 'number_too_long';
    } else if (c === 0x7b || c === 0x5b) {
      if (++depth > maxDepth) return 'too_deep';
      if (++lists > maxLists) return 'too_many_lists';
      i++;
    } else if (c === 0x7d || c === 0x5d) {
      if (depth === 1 && valueStart >= 0) {
        topLevel.push(entry(bytes, keyStart, keyEnd, valueStart, i));
        valueStart = -1;
      }
      depth--;
      i++;
    } else if (c === 0x3a) {
      if (++keys > maxKeys) return 'too_many_keys';
      i++;
      if (depth === 1 && valueStart < 0) valueStart = i;
    } else {
      i++;
      while (i < length && bytes[i]! <= 0x20) i++;
    }
  }
  return { keys, longestString, hasEscapes, topLevel, longIntegers, fractionsInLinks };
}

/** `.`, `e`, `E`, and the signs that may follow. */
function isFractionOrExponent(c: number): boolean {
  return c === 0x2e || c === 0x65 || c === 0x45 || c === 0x2b || c === 0x2d;
}

/** By its first characters: a row of dashes is a mistake of syntax, and no long number. */
function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  return NUMBER_BEGINS.test(String.fromCharCode(...bytes.subarray(start, Math.min(end, start + NUMBER_HEAD))));
}

function followsKey(bytes: Uint8Array, start: number): boolean {
  let i = start - 1;
  while (i >= 0 && bytes[i]! <= 0x20) i--;
  return bytes[i] === 0x3a;
}

function closesArray(bytes: Uint8Array, from: number): boolean {
  let i = from;
  while (i < bytes.length && bytes[i]! <= 0x20) i++;
  return bytes[i] === 0x5d;
}

function entry(
  bytes: Uint8Array,
  keyStart: number,
  keyEnd: number,
  valueStart: number,
  valueEnd: number,
): { key: ByteSpan; value: ByteSpan } {
  let start = valueStart;
  let end = valueEnd;
  while (start < end && bytes[start]! <= 0x20) start++;
  while (end > start && bytes[end - 1]! <= 0x20) end--;
  return { key: { start: keyStart, end: keyEnd }, value: { start, end } };
}
