import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.js';
import { checkAnswer } from './answer-rules.js';
import { OpenApiDocument } from './openapi-document.js';

const origin = 'http://127.0.0.1:8189';

function answer(status: number, body: unknown, more: Partial<Answer> = {}): Answer {
  return {
    method: 'GET',
    target: '/api/v2/things/7',
    status,
    headers: { 'x-request-id': 'r-1', 'content-type': 'application/json; charset=utf-8' },
    rawHeaders: [],
    bytes: Buffer.from(JSON.stringify(body)),
    tookMs: 1,
    ...more,
  };
}

describe('the rules of all answers', () => {
  const check = (given: Answer) => () => checkAnswer(given, { linkOrigin: origin, signedUrls: false });
  const refusal = (error: unknown, status = 404) => answer(status, { error });

  it('accept the envelope and an ordinary body', () => {
    expect(check(refusal({ code: 'not_found', message: 'No such job.' }))).not.toThrow();
    expect(check(answer(200, { created_at: '2026-01-01T00:00:00.000Z', url: `${origin}/api/v2/x` }))).not.toThrow();
  });

  it.each<[string, Answer]>([
    ['a missing request id', { ...refusal({ code: 'not_found', message: 'M.' }), headers: {} }],
    ['another code than the status has', refusal({ code: 'queue_full', message: 'M.' })],
    ['an unknown code', refusal({ code: 'odd', message: 'M.' })],
    ['an empty message', refusal({ code: 'not_found', message: ' ' })],
    ['a message without a full stop', refusal({ code: 'not_found', message: 'no such job' })],
    ['a field beside the three', refusal({ code: 'not_found', message: 'M.', stack: 'x' })],
    ['details that are a list', refusal({ code: 'not_found', message: 'M.', details: [] })],
    ['a stack trace', refusal({ code: 'not_found', message: 'x\n    at f (a.js:1:1).' })],
    ['a path of the machine', refusal({ code: 'upstream_error', message: 'ENOENT /home/u/x.' }, 500)],
    ['429 without Retry-After', refusal({ code: 'queue_full', message: 'M.' }, 429)],
    ['an envelope with more beside', answer(404, { error: { code: 'not_found', message: 'M.' }, ok: false })],
    ['an instant without milliseconds', answer(200, { created_at: '2026-01-01T00:00:00Z' })],
    ['an instant without a zone', answer(200, { jobs: [{ started_at: '2026-01-01T00:00:00.000' }] })],
    ['a relative link', answer(200, { urls: { self: '/api/v2/jobs/1' } })],
    ['a link of another origin', answer(200, { outputs: [{ url: 'http://evil.example/api/v2/x' }] })],
    ['credentials given back', answer(200, { extra_data: {} })],
    ['HEAD with a body', { ...answer(200, {}), method: 'HEAD' }],
  ])('refuse %s', (_, given) => {
    expect(check(given)).toThrow();
  });
});

describe('an OpenAPI document', () => {
  const document = new OpenApiDocument({
    openapi: '3.1.0',
    paths: {
      '/api/v2/things/{id}': {
        get: {
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
            404: { $ref: '#/components/responses/NotFound' },
          },
        },
      },
    },
    components: {
      schemas: { Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
      responses: { NotFound: { content: { 'application/json': { schema: { type: 'object', required: ['error'] } } } } },
    },
  });
  const check = (given: Answer) => () => document.check(given);

  it('accepts what it promises', () => {
    expect(check(answer(200, { id: 'x' }))).not.toThrow();
    expect(check(answer(404, { error: {} }))).not.toThrow();
    expect(check({ ...answer(405, {}), method: 'PUT', headers: { allow: 'GET' } })).not.toThrow();
    expect(check({ ...answer(404, {}), target: '/elsewhere' })).not.toThrow();
  });

  it.each<[string, Answer]>([
    ['a status that it does not name', answer(418, {})],
    ['a body of another shape', answer(200, { id: 7 })],
    ['a field that it does not name', answer(200, { id: 'x', more: 1 })],
    ['a referenced body of another shape', answer(404, {})],
    ['another media type', { ...answer(200, {}), headers: { 'content-type': 'text/html' } }],
    ['an answer of a route that it does not name', { ...answer(200, {}), target: '/api/v2/secret' }],
    ['a method that it does not name', { ...answer(200, {}), method: 'POST' }],
  ])('refuses %s', (_, given) => {
    expect(check(given)).toThrow();
  });
});
