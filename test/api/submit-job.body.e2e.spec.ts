import { codeOf, pictureGraph, textGraph, textOf } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { newKey, useServer } from './server.js';

describe('POST /api/v2/jobs with an unacceptable body', () => {
  const server = useServer();
  /** Finds jobs by key, because other blocks use the server at the same time. */
  const jobsOf = async (key: string): Promise<string[]> =>
    (await server.client.jobPage(`?idempotency_key=${key}`)).jobs.map((job) => job.id);

  it.each([
    '',
    ' ',
    '{',
    'not json',
    '[]',
    'null',
    '"text"',
    '7',
    'true',
    '{}',
    '{"workflow":null}',
    '{"workflow":[]}',
    '{"workflow":"x"}',
    '{"workflow":7}',
    '{"workflow":{}} trailing',
    '{"workflow":{},}',
    "{'workflow':{}}",
    '{"workflow":{"1":NaN}}',
    '{"workflow":{"1":01}}',
    '{"workflow":{}}{"workflow":{}}',
    '\ufeff{"workflow":{}}',
    '{"workflow":"\ud800"}',
  ])('answers 422 invalid_workflow to %j (decisions, Body errors) [JS03]', async (body) => {
    expectRefusal(await server.client.submitRaw(body), 422, 'invalid_workflow');
  });

  it('answers 422 to a body that is no UTF-8 [JS03]', async () => {
    const body = Buffer.concat([
      Buffer.from('{"workflow":{"1":"'),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.from('"}}'),
    ]);
    expectRefusal(await server.client.submitRaw(body), 422, 'invalid_workflow');
  });

  it.each([
    ['at the top', '{"workflow":{},"workflow":{}}'],
    ['of node ids', '{"workflow":{"1":{"class_type":"A","inputs":{}},"1":{"class_type":"B","inputs":{}}}}'],
    ['of inputs', '{"workflow":{"1":{"class_type":"PreviewAny","inputs":{"source":1,"source":2}}}}'],
    ['by escapes', '{"workflow":{"1":{"class_type":"PreviewAny","inputs":{"source":1,"\\u0073ource":2}}}}'],
    ['in extra_data', '{"workflow":{},"extra_data":{"api_key_partner_org":"a","api_key_partner_org":"b"}}'],
  ])('refuses duplicate keys %s (decisions, Workflow verbatim)', async (_, body) => {
    expectRefusal(await server.client.submitRaw(body), 422, 'invalid_workflow');
  });

  it.each([
    { nodes: [], links: [] },
    { nodes: [{ id: 1, type: 'EmptyImage' }], links: [], last_node_id: 1, version: 0.4 },
    { nodes: [], links: {}, groups: [] },
  ])('answers 422 workflow_format_ui to the UI format (POST /api/v2/jobs, rule 2) [JS04]', async (workflow) => {
    expectRefusal(await server.client.submit(workflow), 422, 'workflow_format_ui');
  });

  it.each([
    ['webhook_url', 'http://127.0.0.1:9/x'],
    ['webhook_url', null],
    ['inputs', {}],
    ['inputs', null],
    ['inputs', []],
  ])('refuses the reserved field %s, present with %j (POST /api/v2/jobs, rule 3) [JS15]', async (name, value) => {
    const key = newKey();
    const answer = await server.client.submit(textGraph(), { key, more: { [name]: value } });
    const error = expectRefusal(answer, 422, 'invalid_workflow');
    expect(error.message).toContain(name);
    expect(await jobsOf(key)).toEqual([]);
  });

  it.each([
    ['a third key', { api_key_partner_org: 'canary-1', other: 'canary-2' }],
    ["the public client's own name", { api_key_comfy_org: 'canary-3' }],
    ['extra_pnginfo', { extra_pnginfo: { workflow: {} } }],
    ['a key that is no string', { api_key_partner_org: 7 }],
    ['a null key', { auth_token_partner_org: null }],
    ['an object as key', { auth_token_partner_org: { canary: 'canary-4' } }],
    ['a key of 8193 bytes', { api_key_partner_org: `canary-${'k'.repeat(8186)}` }],
    ['an array', ['canary-5']],
    ['a string', 'canary-6'],
    ['a number', 7],
    ['null', null],
    ['__proto__', JSON.parse('{"__proto__":{"api_key_partner_org":"canary-7"}}') as object],
  ])('refuses extra_data with %s and does not echo it (POST /api/v2/jobs, extra_data) [JS18]', async (_, extraData) => {
    const key = newKey();
    const answer = await server.client.submit(textGraph(), { key, extraData });
    expectRefusal(answer, 422, 'invalid_workflow');
    expect(textOf(answer)).not.toContain('canary');
    expect(await jobsOf(key)).toEqual([]);
  });

  it.each([
    ['an empty one', ''],
    ['one of 256 characters', 'k'.repeat(256)],
    ['one of 10 kB', 'k'.repeat(10_000)],
    ['a space inside', 'a b'],
    ['a tab', 'a\tb'],
    ['letters beyond ASCII', 'schl\u00fcssel'],
  ])(
    'answers 422 invalid_workflow to a bad Idempotency-Key: %s (decisions, Idempotency-Key) [ID13]',
    async (_, key) => {
      expectRefusal(await server.client.submit(textGraph(), { key }), 422, 'invalid_workflow');
    },
  );

  it('answers 422 to two Idempotency-Key headers (reliability 4.2, Idempotency-Key)', async () => {
    const headers = { 'idempotency-key': [newKey(), newKey()] };
    expectRefusal(await server.client.submit(textGraph(), { headers }), 422, 'invalid_workflow');
  });

  it('judges the form of the key before the body (decisions, Order of checks)', async () => {
    const answer = await server.client.submit({ nodes: [], links: [] }, { key: 'a b' });
    expect(codeOf(answer)).toBe('invalid_workflow');
  });

  it('leaves no key claimed by any of them (Idempotency rules 3) [ID06]', async () => {
    const key = newKey();
    for (const body of ['{', '[]', '{"workflow":{"nodes":[],"links":[]}}', '{"workflow":{},"inputs":{}}']) {
      expect((await server.client.submitRaw(body, { key })).status).toBe(422);
    }
    await server.client.submitted(pictureGraph(), { key });
  });
});
