import { assetReference, expectStatus, pictureGraph, textGraph, textOf } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from '../api/server.js';
import { expectRefusalWithoutTrace } from './nothing-left.js';
import { watchMemory } from './process-memory.js';

const MIB = 1024 * 1024;
const INVALID = { status: 422, code: 'invalid_workflow' };
const TOO_LARGE = { status: 413, code: 'payload_too_large' };

/** A valid graph with this many nodes, one of which feeds the output. */
function graphOf(nodes: number): string {
  const rest = Array.from(
    { length: nodes - 2 },
    (_, i) => `"n${i}":{"class_type":"PrimitiveInt","inputs":{"value":${i}}}`,
  );
  return `{"1":{"class_type":"PrimitiveString","inputs":{"value":"x"}},"2":{"class_type":"PreviewAny","inputs":{"source":["1",0]}}${rest.map((node) => `,${node}`).join('')}}`;
}

/** A valid submission with one undeclared input of this value. */
const withExtra = (value: string): string =>
  `{"workflow":{"1":{"class_type":"PrimitiveString","inputs":{"value":"x","extra":${value}}},"2":{"class_type":"PreviewAny","inputs":{"source":["1",0]}}}}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe.runIf(ownServer)('limits of a submission (reliability 4.2; decisions, Limits on graphs)', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_QUEUE_DEPTH_ACCOUNT: '10000' });
  const post = (body: string | Uint8Array, key?: string) =>
    server.client.submitRaw(body, key === undefined ? {} : { key });
  const padded = (bytes: number): Buffer => {
    const body = Buffer.alloc(bytes, ' ');
    body.write(JSON.stringify({ workflow: textGraph() }));
    return body;
  };

  it('takes a body of 10 MiB', async () => {
    expectStatus(await post(padded(10 * MIB)), 201);
  });

  it.each([10 * MIB + 1, 100 * MIB])(
    'answers 413 payload_too_large to a body of %i bytes, in bounded memory',
    async (bytes) => {
      const body = padded(bytes);
      const memory = await watchMemory(server.process.pid);
      await expectRefusalWithoutTrace(server, TOO_LARGE, (key) => post(body, key));
      expect(await memory.growth()).toBeLessThan(96);
    },
  );

  it('answers 413 to a body over the limit without a Content-Length', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 200; i += 1) yield Buffer.alloc(MIB, ' ');
    }
    await expectRefusalWithoutTrace(server, TOO_LARGE, (key) =>
      server.client.request('POST', '/api/v2/jobs', { headers: { 'idempotency-key': key }, body: endless() }),
    );
  });

  it('takes 5,000 nodes', async () => {
    expectStatus(await post(`{"workflow":${graphOf(5000)}}`), 201);
  });

  it.each([5001, 50_000])('answers 422 to %i nodes', async (nodes) => {
    await expectRefusalWithoutTrace(server, INVALID, (key) => post(`{"workflow":${graphOf(nodes)}}`, key));
  });

  it('takes JSON of depth 64', async () => {
    // Body, workflow, node and inputs are already four levels.
    expectStatus(await post(withExtra(nested(60))), 201);
  });

  it.each([61, 640, 100_000])('answers 422 to JSON with %i levels below an input', async (levels) => {
    await expectRefusalWithoutTrace(server, INVALID, (key) => post(withExtra(nested(levels)), key));
  });

  it.each(['{"a":', '[', '{"workflow":[', '{"workflow":{"1":'])(
    'answers 422 to %s 100,000 times over',
    async (opening) => {
      await expectRefusalWithoutTrace(server, INVALID, (key) => post(opening.repeat(100_000), key));
    },
  );

  it('takes 256 inputs of a node and 1 MiB of text', async () => {
    const inputs = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`i${i}`, i]));
    const graph = {
      ...textGraph(),
      '3': { class_type: 'PrimitiveString', inputs: { ...inputs, value: 'x'.repeat(MIB) } },
    };
    expectStatus(await server.client.submit(graph), 201);
  });

  it.each<[string, (times: number) => object]>([
    [
      'inputs of a node',
      (times) => ({
        '3': {
          class_type: 'PrimitiveString',
          inputs: Object.fromEntries(
            Array.from({ length: 256 * times + (times === 1 ? 1 : 0) }, (_, i) => [`i${i}`, i]),
          ),
        },
      }),
    ],
    [
      'the length of a node id',
      (times) => ({
        ['n'.repeat(128 * times + (times === 1 ? 1 : 0))]: { class_type: 'PrimitiveString', inputs: { value: 'x' } },
      }),
    ],
    [
      'the length of a class',
      (times) => ({ '3': { class_type: 'C'.repeat(256 * times + (times === 1 ? 1 : 0)), inputs: {} } }),
    ],
    [
      'the length of a text',
      (times) => ({
        '3': { class_type: 'PrimitiveString', inputs: { value: 'x'.repeat(Math.min(MIB * times, 9 * MIB) + 1) } },
      }),
    ],
    [
      'links',
      (times) =>
        Object.fromEntries(
          Array.from({ length: 200 * times + (times === 1 ? 1 : 0) }, (_, n) => [
            `l${n}`,
            {
              class_type: 'PrimitiveString',
              inputs: Object.fromEntries(Array.from({ length: 250 }, (__, i) => [`i${i}`, ['1', 0]])),
            },
          ]),
        ),
    ],
  ])('answers 422 to one more than the limit of %s, and to ten times the limit', async (_, extra) => {
    for (const times of [1, 10]) {
      await expectRefusalWithoutTrace(server, INVALID, (key) =>
        server.client.submit({ ...textGraph(), ...extra(times) }, { key }),
      );
    }
  });

  it.each([200_001, 900_000])('answers 422 to %i keys', async (count) => {
    const keys = Array.from({ length: count }, (_, i) => `"${i.toString(36)}":0`).join();
    await expectRefusalWithoutTrace(server, INVALID, (key) => post(withExtra(`{${keys}}`), key));
  });

  it('takes a number of 64 characters', async () => {
    expectStatus(await post(withExtra('1'.repeat(64))), 201);
  });

  it.each([65, 640, 1_000_000])('answers 422 to a number of %i characters', async (length) => {
    await expectRefusalWithoutTrace(server, INVALID, (key) => post(withExtra('1'.repeat(length)), key));
  });

  it('takes 256 asset references and answers 422 to 257 and to 2,560', async () => {
    const asset: Asset = await server.client.uploaded();
    const others: string[] = [asset.id];
    for (let i = 1; i < 257; i += 1)
      others.push((await server.client.uploaded({ bytes: Buffer.from('same'), file_path: `${i}.bin` })).id);
    const graph = (ids: readonly string[]) => ({
      ...textGraph(),
      '3': { class_type: 'PrimitiveString', inputs: { value: 'x', extra: [ids.map((id) => assetReference(id))] } },
    });
    expectStatus(await server.client.submit(graph(others.slice(0, 256))), 201);
    await expectRefusalWithoutTrace(server, INVALID, (key) => server.client.submit(graph(others), { key }));
    const many = Array.from({ length: 2560 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`);
    await expectRefusalWithoutTrace(server, INVALID, (key) => server.client.submit(graph(many), { key }));
  }, 240_000);

  it.each(['__proto__', 'constructor', 'prototype'])('lets %s pollute nothing, wherever it stands', async (name) => {
    const value = `{"${name}":{"polluted":"yes","status":"canary"}}`;
    const bodies = [
      withExtra(value),
      `{"workflow":${JSON.stringify(textGraph())},"${name}":{"polluted":"yes"}}`,
      `{"workflow":${JSON.stringify(textGraph())},"metadata":${`{"${name}":"x"}`}}`,
      `{"workflow":{"${name}":{"class_type":"PreviewAny","inputs":{"source":"x"}}}}`,
    ];
    for (const body of bodies) expect([201, 422]).toContain((await post(body)).status);
    const refused = await post(`{"workflow":${JSON.stringify(textGraph())},"extra_data":${value}}`);
    expect(refused.status).toBe(422);
    expect(textOf(refused)).not.toMatch(/polluted|canary/);
    const job = await server.client.submitted(pictureGraph());
    expect(job).not.toHaveProperty('polluted');
    expect(job.status).not.toBe('canary');
  });

  it('answers the next request at once after all of them', async () => {
    const tookMs: number[] = [];
    // A stall of the machine may delay one round; a delay of the server would appear in every round.
    for (let round = 0; round < 3 && !tookMs.some((ms) => ms < 1000); round += 1) {
      const answer = await server.client.submit(textGraph());
      expect(answer.status).toBe(201);
      tookMs.push(answer.tookMs);
    }
    expect(Math.min(...tookMs)).toBeLessThan(1000);
  });
});

describe.runIf(ownServer)('limits lowered by their settings', () => {
  const server = useServer({
    HEDDLE_WORKERS: '0',
    HEDDLE_GRAPH_NODES: '10',
    HEDDLE_BODY_BYTES: '5000',
    HEDDLE_JSON_DEPTH: '8',
    HEDDLE_ASSET_REFERENCES: '0',
  });

  it('hold at the limit, one above it and ten times it', async () => {
    expectStatus(await server.client.submitRaw(`{"workflow":${graphOf(10)}}`), 201);
    expectStatus(await server.client.submitRaw(withExtra(nested(4))), 201);
    expectStatus(await server.client.submitRaw(withExtra('0').padEnd(5000)), 201);
    for (const nodes of [11, 60]) {
      await expectRefusalWithoutTrace(server, INVALID, (key) =>
        server.client.submitRaw(`{"workflow":${graphOf(nodes)}}`, { key }),
      );
    }
    for (const depth of [5, 80]) {
      await expectRefusalWithoutTrace(server, INVALID, (key) =>
        server.client.submitRaw(withExtra(nested(depth)), { key }),
      );
    }
    for (const length of [5001, 50_000]) {
      await expectRefusalWithoutTrace(server, TOO_LARGE, (key) =>
        server.client.submitRaw(withExtra('0').padEnd(length), { key }),
      );
    }
  });
});
