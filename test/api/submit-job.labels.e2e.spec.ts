import { jsonOf, textGraph } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { newKey, useServer, waiting } from './server.js';

const pairs = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, `v${i}`]));

describe('POST /api/v2/jobs with metadata', () => {
  const server = useServer(waiting);

  it('gives the labels back on the job and on the list (decisions, Labels)', async () => {
    const metadata = { run: '42', 'a.b-c_D9': 'ü€ 💡', empty: '' };
    const key = newKey();
    const job = await server.client.submitted(textGraph(), { key, metadata });
    expect(job.metadata).toEqual(metadata);
    expect(jsonOf<Job>(await server.client.job(job.id)).metadata).toEqual(metadata);
    // Filtered by key, because other blocks use the server at the same time.
    const { jobs } = await server.client.jobPage(`?idempotency_key=${key}`);
    expect(jobs).toMatchObject([{ id: job.id, metadata }]);
  });

  it('takes up to 16 pairs, keys of 64 and values of 512 characters', async () => {
    await server.client.submitted(textGraph(), { metadata: { ...pairs(15), ['k'.repeat(64)]: 'v'.repeat(512) } });
  });

  it.each<[string, unknown, string]>([
    ['17 pairs', pairs(17), ''],
    ['an empty key', { '': 'x' }, ''],
    ['a key of 65 characters', { ['k'.repeat(65)]: 'x' }, 'k'.repeat(60)],
    ['a key with a space', { 'a b': 'x' }, 'a b'],
    ['a value of 513 characters', { long: 'v'.repeat(513) }, 'long'],
    ['a number as value', { n: 7 }, 'n'],
    ['a null value', { nothing: null }, 'nothing'],
    ['a nested object', { deep: { a: 'b' } }, 'deep'],
    ['a control character', { bell: '\u0007' }, 'bell'],
    ['a line break', { line: 'a\nb' }, 'line'],
    ['a bidirectional override', { bidi: '\u202eabc' }, 'bidi'],
    ['an isolate', { isolate: '\u2066abc' }, 'isolate'],
    ['an array', ['a'], ''],
    ['a string', 'a', ''],
  ])('answers 422 metadata_invalid to %s and names the key (decisions, Labels)', async (_, metadata, key) => {
    const error = expectRefusal(await server.client.submit(textGraph(), { metadata }), 422, 'metadata_invalid');
    if (key !== '') expect(JSON.stringify(error)).toContain(key);
  });

  it('does not claim the key for bad labels (Idempotency rules 3)', async () => {
    const key = newKey();
    expectRefusal(await server.client.submit(textGraph(), { key, metadata: { '': 'x' } }), 422, 'metadata_invalid');
    await server.client.submitted(textGraph(), { key });
  });

  it('takes __proto__ and constructor for ordinary keys', async () => {
    const text = JSON.stringify({ workflow: textGraph(), metadata: { PLACE: 'p', constructor: 'c' } });
    const answer = await server.client.submitRaw(text.replace('PLACE', '__proto__'));
    expect(answer.status).toBe(201);
    const { metadata } = jsonOf<Job>(answer);
    expect(Object.entries(metadata).sort()).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
  });
});
