import { describe, expect, it } from 'vitest';
import { readBoundary } from './boundary.js';

describe('the boundary of a request', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data;Boundary="a b c"', 'a b c'],
    ['multipart/form-data; charset=utf-8; boundary=----comfy0a;', '----comfy0a'],
    [`multipart/form-data; boundary=${'x'.repeat(70)}`, 'x'.repeat(70)],
    ['multipart/form-data; boundary="a\\(b"', 'a(b'],
  ])('is read from %s', (contentType, boundary) => {
    expect(readBoundary(contentType)).toEqual({ boundary });
  });

  it.each([
    undefined,
    '',
    'application/json',
    'multipart/mixed; boundary=a',
    'multipart/form-datax; boundary=a',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="a "',
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; boundary="a',
    'multipart/form-data; boundary=é',
    'multipart/form-data; boundary="a\\\r\nb"',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('is refused in %j', (contentType) => {
    expect(readBoundary(contentType)).toMatchObject({ kind: 'malformed' });
  });
});
