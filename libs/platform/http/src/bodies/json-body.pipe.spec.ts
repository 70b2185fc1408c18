import { describe, expect, it } from 'vitest';
import { objectIn } from './json-body.pipe.js';
import { RejectionError } from '../refusals/rejection-error.js';

function refusalOf(bytes: Uint8Array | undefined): string {
  try {
    return JSON.stringify(objectIn(bytes === undefined ? undefined : Buffer.from(bytes)));
  } catch (error) {
    if (error instanceof RejectionError) return error.rejection.message;
    throw error;
  }
}

describe('a JSON body', () => {
  it.each([
    ['', 'The body must be a JSON object, and it is empty.'],
    ['{', 'The body must be valid JSON: the mistake is at line 1, column 2.'],
    ['{"a": 1,\n "é": x}', 'The body must be valid JSON: the mistake is at line 2, column 7.'],
    ['[{}]', 'The body must be a JSON object, and it is a list.'],
    ['null', 'The body must be a JSON object, and it is null.'],
    ['"a"', 'The body must be a JSON object, and it is a string.'],
  ])('%j is refused in words of its own', (text, message) => {
    expect(refusalOf(Buffer.from(text))).toBe(message);
  });

  it('that is absent is refused', () => {
    expect(refusalOf(undefined)).toBe('The body must be a JSON object, and it is empty.');
  });

  it('is refused when it is not UTF-8: its bytes would be stored as another character', () => {
    const bytes = Buffer.concat([Buffer.from('{"name": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(refusalOf(bytes)).toBe('The body must be valid UTF-8.');
    expect(refusalOf(Buffer.from('{"name": "é"}'))).toBe('{"name":"é"}');
  });
});
