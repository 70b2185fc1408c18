import type { Rejection } from '@heddle/contracts-messages';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { readJson, DEFAULT_SUBMISSION_LIMITS, type JsonObject } from '@heddle/workflow-graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFields, type ReadFields } from './read-fields.js';
import type { RefusedField } from './submission-fields.dto.js';

/** Reads the fields of a body that is given as JSON text or as its values. */
function fieldsOf(body: unknown): Promise<ReadFields | RefusedField> {
  const read = readJson(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), DEFAULT_SUBMISSION_LIMITS);
  if (!read.ok) throw new Error(read.reason);
  return readFields(read.value as JsonObject, 8_192);
}
async function acceptedFields(body: unknown): Promise<ReadFields> {
  const fields = await fieldsOf(body);
  if (!fields.ok) throw new Error(fields.rejection.message);
  return fields;
}
async function rejectionOf(body: unknown): Promise<Rejection | null> {
  const fields = await fieldsOf(body);
  return fields.ok ? null : fields.rejection;
}

const form = (message: string): object => ({ code: 'invalid_workflow', message, details: { node_errors: {} } });

describe('a submission without fields beside its workflow', () => {
  it('is not given any by a key that every object inherits', async () => {
    const inherited = '{"__proto__":{"metadata":{"a":"b"},"webhook_url":"x"},"constructor":{"inputs":{}}}';
    expect(await acceptedFields(inherited)).toMatchObject({ metadata: {}, credentials: null });
  });
});

describe('the fields of a submission', () => {
  it.each<[string, object, object]>([
    [
      'webhook_url, null included (rule 3)',
      { webhook_url: null },
      form('The field webhook_url is reserved. Send the request without it.'),
    ],
    ['inputs (rule 3)', { inputs: {} }, form('The field inputs is reserved. Send the request without it.')],
    ['extra_data that is no object', { extra_data: 'secret' }, form('The field extra_data must be an object.')],
    ['extra_data that is null', { extra_data: null }, form('The field extra_data must be an object.')],
    ['extra_data that is a list', { extra_data: ['secret'] }, form('The field extra_data must be an object.')],
    [
      'an unknown key in extra_data',
      { extra_data: { api_key_comfy_org: 'secret' } },
      form(
        'The field extra_data holds an unknown key. Only api_key_partner_org and auth_token_partner_org are accepted.',
      ),
    ],
    [
      'a credential that is no text',
      { extra_data: { api_key_partner_org: 5 } },
      form('The field extra_data.api_key_partner_org must be a string.'),
    ],
    [
      'a credential of more than 8 KiB',
      { extra_data: { auth_token_partner_org: `secret${'ü'.repeat(4094)}` } },
      form(
        'The field extra_data.auth_token_partner_org is longer than 8192 bytes. ' +
          'The setting HEDDLE_CREDENTIAL_BYTES raises this limit.',
      ),
    ],
  ])('are refused when they hold %s', async (_, fields, rejection) => {
    const refused = await rejectionOf({ workflow: {}, ...fields });
    expect(refused).toEqual(rejection);
    expect(JSON.stringify(refused)).not.toContain('secret');
  });

  it('may hold the two credentials and fields that nobody knows', async () => {
    const extra_data = { api_key_partner_org: 'k'.repeat(8192), auth_token_partner_org: 't' };
    const { credentials } = await acceptedFields({ extra_data, client_id: 'x', number: 1 });
    expect(credentials?.apiKey?.reveal()).toBe('k'.repeat(8192));
    expect(credentials?.authToken?.reveal()).toBe('t');
    expect((await acceptedFields({ extra_data: {} })).credentials).toBeNull();
    expect((await acceptedFields({ extra_data: { auth_token_partner_org: '' } })).credentials).not.toHaveProperty(
      'apiKey',
    );
  });

  it('are refused for the first of them, and within one for its first key', async () => {
    const all = { metadata: 5, extra_data: 5, inputs: 5, webhook_url: 5 };
    const refused: (string | undefined)[] = [];
    for (const field of ['webhook_url', 'inputs', 'extra_data', 'metadata'] as const) {
      refused.push((await rejectionOf(all))?.message);
      delete (all as Partial<typeof all>)[field];
    }
    expect(refused).toEqual([
      expect.stringContaining('webhook_url'),
      expect.stringContaining('inputs'),
      expect.stringContaining('extra_data'),
      expect.stringContaining('metadata'),
    ]);
    expect(await rejectionOf('{"extra_data":{"api_key_partner_org":5,"other":1}}')).toMatchObject({
      message: expect.stringContaining('must be a string') as string,
    });
    expect(await rejectionOf('{"extra_data":{"other":1,"api_key_partner_org":5}}')).toMatchObject({
      message: expect.stringContaining('unknown key') as string,
    });
    expect(await rejectionOf('{"metadata":{"a":1,"b b":"x"}}')).toMatchObject({ details: { key: 'a' } });
    expect(await rejectionOf('{"metadata":{"b b":"x","a":1}}')).toMatchObject({ details: { key: 'b b' } });
  });
});

describe('the labels of a submission', () => {
  const sixteen = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k-${i}_.A`, '😀'.repeat(512)]));

  it('are up to 16 pairs of texts', async () => {
    expect((await acceptedFields({ metadata: sixteen })).metadata).toEqual(sixteen);
    expect(await rejectionOf({ metadata: { ...sixteen, one_more: '' } })).toEqual({
      code: 'metadata_invalid',
      message: 'The field metadata holds more than 16 labels.',
    });
  });

  it('may have the names that every object inherits, and have no prototype', async () => {
    const { metadata } = await acceptedFields('{"metadata":{"__proto__":"a","constructor":"b"}}');
    expect(Object.entries(metadata)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(Object.getPrototypeOf(metadata)).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['a value that is no text', 1, 'must be a string.'],
    ['a value of 513 characters', 'x'.repeat(513), 'is longer than 512 characters.'],
    ['a value of 513 characters of two units', '😀'.repeat(513), 'is longer than 512 characters.'],
    ['a value of 513 characters with selectors', '\u2665\ufe0f'.repeat(257), 'is longer than 512 characters.'],
    ['a control character', 'a\nb', 'holds a control character, or one that changes the direction of text.'],
    ['an override of direction', 'a\u202eb', 'holds a control character, or one that changes the direction of text.'],
  ])('are refused with the name of the key when they hold %s', async (_, value, problem) => {
    expect(await rejectionOf({ metadata: { key: value } })).toEqual({
      code: 'metadata_invalid',
      message: `The value of the label "key" ${problem}`,
      details: { key: 'key' },
    });
  });

  it('are refused when they are no object, and when a key has another form', async () => {
    for (const metadata of [null, [], 'x', 5]) {
      expect(await rejectionOf({ metadata })).toEqual({
        code: 'metadata_invalid',
        message: 'The field metadata must be an object of strings.',
      });
    }
    for (const key of ['', 'a b', 'ü', '$value', 'x'.repeat(65)]) {
      const shown = key.slice(0, 64);
      expect(await rejectionOf({ metadata: { [key]: 'x' } })).toEqual({
        code: 'metadata_invalid',
        message: `The label key "${shown}" is not valid: a key has 1 to 64 characters of A-Z a-z 0-9 _ . -.`,
        details: { key: shown },
      });
    }
  });
});

describe(`any fields whatever (seed ${seed})`, () => {
  it('are accepted or refused with a text, without an exception', async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(
        fc.constantFrom('api_key_partner_org', 'auth_token_partner_org', '__proto__', 'a', ''),
        fc.string(),
      ),
    );
    const names = fc.constantFrom('webhook_url', 'inputs', 'extra_data', 'metadata', '__proto__', 'constructor');
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value), async (body) => {
        const fields = await fieldsOf(JSON.stringify(body));
        if (!fields.ok) expect(fields.rejection.message).toMatch(/\.$/);
      }),
      { seed, numRuns: 1_000 },
    );
    expect(({} as Record<string, unknown>)['metadata']).toBeUndefined();
  });
});
