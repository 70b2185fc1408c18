import { describe, expect, it } from 'vitest';
import { ERROR_CODES, errorText } from './error-codes.js';
import type { ApiErrorCode, ErrorCase } from './error-codes.js';
import { sizeText } from './errors/error-entry.js';

/** A value for every parameter of every text. */
const PARAMETERS = {
  allow: 'GET, HEAD',
  announced: 2_097_152,
  frameLimit: 77,
  label: 'alpha',
  status: 'unavailable',
  reason: 'paused by the operator',
  change: 'repin',
  command: 'heddle deployments start alpha',
  fault: 'is not an http URL',
  hash: 'blake3:1f',
  isWhole: true,
  max: 1_000,
  meantBuiltin: false,
  min: 1,
  offered: 'local',
  option: 'slots',
  packages: ['pack-a@1.0.0'],
  provider: 'external',
  value: 0,
  bytes: 16_384,
  column: 7,
  entry: 'example.org',
  fields: { file_path: 'is required', body: 'must be a JSON object' },
  field: 'limit',
  found: 'a list',
  host: 'example.org',
  scope: 'jobs:read',
  id: 'pack-a',
  version: '1.0.0',
  wanted: 'active',
  ids: ['a', 'b', 'c', 'd'],
  key: 'label',
  keyId: 'abcdefgh01234567',
  limit: 1_048_576,
  line: 3,
  lines: 64,
  method: 'PUT',
  name: 'acme',
  node: '9',
  input: 'image',
  nodes: 1,
  path: '"workflow" > "1"',
  problem: 'repeated',
  problems: 2,
  rate: 50,
  required: 12,
  balance: 5,
  stage: 'production',
  requestId: 'r-1',
  seconds: 30,
  sentences: ['Node 1, image: there is none.'],
  size: 5,
  source: 'body',
  unknown: ['image'],
};

const VALUE = 'VALUE';
const LISTS = { ids: [VALUE], packages: [VALUE], unknown: [VALUE], fields: { [VALUE]: VALUE } };

const cases = Object.entries(ERROR_CODES).flatMap(([code, { texts }]) =>
  Object.keys(texts).map((name) => [code as ApiErrorCode, name] as const),
);

describe('the catalogue of errors', () => {
  it.each(cases)('says %s, %s in full sentences', (code, name) => {
    const text: string = errorText(code, { case: name, ...PARAMETERS } as unknown as ErrorCase<ApiErrorCode>);
    expect(text).toMatch(/^[A-Z][^\n]{10,400}\.$/);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  it('has no text twice', () => {
    const texts = cases
      .filter(([, name]) => name !== 'key_header')
      .map(([code, name]) => errorText(code, { case: name, ...PARAMETERS } as unknown as ErrorCase<ApiErrorCode>));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(cases.filter(([, name]) => name !== 'nodes'))('writes each sentence of %s, %s itself', (code, name) => {
    // A parameter is a value within a sentence: where it is a sentence, its text has another home than the catalogue.
    // Sentences about single nodes are beside the rules of the graph.
    const values = Object.fromEntries(Object.keys(PARAMETERS).map((parameter) => [parameter, VALUE]));
    const parameters = { ...values, ...LISTS, case: name };
    const sentences = errorText(code, parameters as unknown as ErrorCase<ApiErrorCode>).split(/(?<=[.?!]) /);
    expect(sentences.filter((sentence) => sentence.replace(/[.?!]$/, '') === VALUE)).toEqual([]);
  });

  it('lists the first ids and names of many', () => {
    expect(errorText('missing_asset', { case: 'unknown', ids: ['a', 'b', 'c', 'd', 'e'] })).toContain(
      '"a", "b", "c" and 2 more.',
    );
    expect(
      errorText('invalid_request', { case: 'fields', fields: { file: 'is required' }, unknown: ['image', 'type'] }),
    ).toBe(
      'The field file is required. "image", "type" are not fields of an upload: ' +
        'the fields are file, content_type, file_path, expected_hash, tags and expires_in.',
    );
    const fields = { fiel: 'must be at most 4096 bytes' };
    expect(errorText('invalid_request', { case: 'fields', fields, unknown: ['fiel'] })).toBe(
      '"fiel" is not a field of an upload: the fields are file, content_type, file_path, expected_hash, tags and expires_in.',
    );
  });
});

describe('the text of invalid fields', () => {
  it.each([
    [{ name: 'is required' }, 'The field name is required.'],
    [{ body: 'must be a JSON object' }, 'The body must be a JSON object.'],
    [{ a: 'is required', b: 'is required' }, 'The fields a and b are required.'],
    [
      { a: 'does not exist', limit: 'must be a number', b: 'does not exist', c: 'does not exist' },
      'The fields a, b and c do not exist. The field limit must be a number.',
    ],
    [
      { node: 'must be an object', node_version: 'must be an object' },
      'Each of the fields node and node_version must be an object.',
    ],
    [{ stage: 'must be x; did you mean x?' }, 'The field stage must be x; did you mean x?'],
  ])('of %j is one sentence for each problem', (fields, text) => {
    expect(errorText('invalid_request', { case: 'fields', fields, unknown: [] })).toBe(text);
  });
});

describe('a size in words', () => {
  it.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1 KiB'],
    [104_857_600, '100 MiB'],
    [105_906_176, '101 MiB'],
    [1_600_000, '1.5 MiB'],
    [5 * 1024 ** 4, '5120 GiB'],
  ])('of %d bytes is %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});
