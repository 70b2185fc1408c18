import { describe, expect, it } from 'vitest';
import { largeJson } from './large-json.js';

const many = (entry: unknown): object =>
  Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`n${at} ü"`, entry]));

describe('the JSON of a refusal', () => {
  it.each([
    ['small', { error: { code: 'a', message: 'ü', details: { node_errors: {} } } }],
    ['with many entries', { error: { code: 'a', message: '"', details: { node_errors: many([{ field: 'é' }]) } } }],
    [
      'with entries of every kind',
      { ...many(null), list: [{ a: 1 }], none: undefined, object: {}, deep: many(many({ a: {} })) },
    ],
  ])('%s is that of JSON.stringify', (_, value) => {
    expect(largeJson(value).toString()).toBe(JSON.stringify(value));
  });

  it('is bytes where an object has many entries, also without a prototype', () => {
    expect(largeJson({ error: {} })).toBe('{"error":{}}');
    const bytes = largeJson(Object.assign(Object.create(null) as object, many(1)));
    expect(Buffer.isBuffer(bytes)).toBe(true);
    expect(JSON.parse(bytes.toString())).toEqual(many(1));
  });
});
