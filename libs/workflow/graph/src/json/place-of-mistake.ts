/** A position in a text as editors count it: from 1, columns in characters. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing';

const encoder = new TextEncoder();
const WORDS = ['true', 'false', 'null'].map((word) => encoder.encode(word));
const ESCAPED = new Set(encoder.encode('"\\/bfnrtu'));

/** Finds where UTF-8 text that JSON.parse refuses stops being JSON. JSON.parse gives no position for most mistakes. */
export function placeOfMistake(bytes: Uint8Array): TextPlace {
  return placeAt(bytes, offsetOfMistake(bytes));
}

function offsetOfMistake(bytes: Uint8Array): number {
  const closers: number[] = [];
  let expected: Expected = 'value';
  const valueEnded = (): Expected => (closers.length === 0 ? 'nothing' : ', or end');
  for (let at = skipBlank(bytes, 0); at < bytes.length; at = skipBlank(bytes, at)) {
    const c = bytes[at]!;
    const closes = expected === 'value or ]' || expected === 'key or }' || expected === ', or end';
    if (closes && c === closers.at(-1)) {
      closers.pop();
      expected = valueEnded();
      at++;
    } else if (expected === ', or end' && c === 0x2c) {
      expected = closers.at(-1) === 0x5d ? 'value' : 'key';
      at++;
    } else if (expected === ':' && c === 0x3a) {
      expected = 'value';
      at++;
    } else if (expected === 'key' || expected === 'key or }') {
      const end = c === 0x22 ? stringEnd(bytes, at) : -at - 1;
      if (end < 0) return -end - 1;
      expected = ':';
      at = end;
    } else if (expected === 'value' || expected === 'value or ]') {
      if (c === 0x7b || c === 0x5b) {
        closers.push(c + 2);
        expected = c === 0x7b ? 'key or }' : 'value or ]';
        at++;
        continue;
      }
      const end = c === 0x22 ? stringEnd(bytes, at) : scalarEnd(bytes, at);
      if (end < 0) return -end - 1;
      expected = valueEnded();
      at = end;
    } else return at;
  }
  return bytes.length;
}

/** The offset after the string that starts here; for a malformed one the offset of the mistake as `-offset - 1`. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const c = bytes[at]!;
    if (c === 0x22) return at + 1;
    if (c < 0x20) return -at - 1;
    if (c !== 0x5c) continue;
    const escaped = bytes[++at];
    if (escaped === undefined || !ESCAPED.has(escaped)) return -at - 1;
    if (escaped !== 0x75) continue;
    for (let digit = 0; digit < 4; digit++) if (!isHexDigit(bytes[++at])) return -at - 1;
  }
  return -bytes.length - 1;
}

/**
 * The offset after the number or word that starts here; if there is none, the offset of the mistake as `-offset - 1`.
 */
function scalarEnd(bytes: Uint8Array, start: number): number {
  for (const word of WORDS) {
    if (word.every((c, at) => bytes[start + at] === c)) return start + word.length;
  }
  let at = bytes[start] === 0x2d ? start + 1 : start;
  if (!isDigit(bytes[at])) return -at - 1;
  at = bytes[at] === 0x30 ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === 0x2e) {
    if (!isDigit(bytes[++at])) return -at - 1;
    at = digitsEnd(bytes, at);
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    if (!isDigit(bytes[at])) return -at - 1;
    at = digitsEnd(bytes, at);
  }
  return at;
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  return at;
}

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 0x30 && c <= 0x39;
}

function isHexDigit(c: number | undefined): boolean {
  return isDigit(c) || (c !== undefined && (c | 0x20) >= 0x61 && (c | 0x20) <= 0x66);
}

function skipBlank(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && [0x20, 0x0a, 0x0d, 0x09].includes(bytes[at]!)) at++;
  return at;
}

function placeAt(bytes: Uint8Array, offset: number): TextPlace {
  let line = 1;
  let column = 1;
  for (let at = 0; at < Math.min(offset, bytes.length); at++) {
    const c = bytes[at]!;
    if (c === 0x0a) {
      line++;
      column = 1;
    } else if ((c & 0xc0) !== 0x80) column++;
  }
  return { line, column };
}
