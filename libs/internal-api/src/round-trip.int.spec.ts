import fc from 'fast-check';
import { Secret } from '@heddle/contracts-messages';
import type { JobsPort, JobSubmission, PartnerCredentials, Principal } from '@heddle/contracts-messages';
import { CallServer, issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';
import { ServiceClient } from '@heddle/platform-service-calls/service-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RemoteJobs } from './jobs/remote-jobs.js';
import { serveJobsPort } from './jobs/serve-jobs-port.js';

const keys = newServiceKeyPair();

/** Any UTF-16 text, lone surrogates and control characters too. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((u) => String.fromCharCode(...u));
/** Branded ids: their brands are not what is tested. */
const id = fc.uuid() as unknown as fc.Arbitrary<never>;
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const labels = fc.dictionary(text, text, { maxKeys: 4 });
const bytes = fc.uint8Array({ maxLength: 200 });
const secret = text.map((value) => new Secret(value));
const credentials = maybe(
  fc.record({ apiKey: secret, authToken: secret }, { requiredKeys: [] }),
) as fc.Arbitrary<PartnerCredentials | null>;
const principal = fc.record({ accountId: id, deploymentId: id }) as fc.Arbitrary<Principal>;
const input = fc.record({ assetId: id, hash: text, sizeBytes: fc.maxSafeNat(), filePath: text, name: maybe(text) });
const submission = fc.record({
  jobId: id,
  idempotencyKey: maybe(text),
  workflow: bytes,
  nodesTotal: fc.nat(),
  metadata: labels,
  inputs: fc.array(input, { maxLength: 3 }),
  credentials,
  requestId: text,
  traceparent: maybe(text),
}) as fc.Arbitrary<JobSubmission>;
const rejection = fc.record(
  { code: fc.constantFrom('not_found', 'queue_full'), message: text, details: labels, retryAfterSeconds: fc.nat() },
  { requiredKeys: ['code', 'message'] },
);
/** Views and pages are handed on as they are, so any JSON stands for them. */
const value = fc.jsonValue().map((one) => JSON.parse(JSON.stringify(one)) as unknown);
const answer = fc.oneof(fc.record({ ok: fc.constant(true), value }), fc.record({ ok: fc.constant(false), rejection }));

/** Everything comparable: secrets in clear, bytes as numbers. */
function plain(given: unknown): unknown {
  if (given instanceof Secret) return `secret ${given.reveal()}`;
  if (given instanceof Uint8Array) return [...given];
  if (given instanceof Map) return [...given].map(plain);
  if (Array.isArray(given)) return given.map(plain);
  if (typeof given !== 'object' || given === null) return given;
  return Object.entries(given)
    .map(([name, one]) => [name, plain(one)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('what services say to each other', () => {
  let server: CallServer;
  const clients: ServiceClient[] = [];
  let jobs: JobsPort;
  /** What the serving half was given, and what it has to answer. */
  let given: unknown;
  let toAnswer: unknown;
  beforeAll(async () => {
    const take = (...all: unknown[]): Promise<never> => {
      given = all;
      return Promise.resolve(toAnswer as never);
    };
    server = new CallServer({ host: '127.0.0.1', port: 0, tokens: { publicKeys: [keys.publicKey], audience: 'jobs' } });
    serveJobsPort(server, {
      submit: take,
      isKeyClaimed: take,
      get: take,
      list: take,
      cancel: take,
      workflow: take,
      queuePositions: take,
    });
    await server.listen();
    const clientOf = async (service: string): Promise<ServiceClient> => {
      const claims = { service, audience: 'jobs', deploymentId: null, expiresAt: 9_999_999_999 };
      const token = await issueServiceToken(keys.privateKey, claims);
      const client = new ServiceClient({ service: 'jobs', targets: [server.url], token: () => token });
      clients.push(client);
      return client;
    };
    jobs = new RemoteJobs(await clientOf('gateway'));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.close(0);
  });

  async function survives<T>(
    arbitrary: fc.Arbitrary<T>,
    ask: (one: T) => Promise<readonly [unknown, unknown]>,
  ): Promise<void> {
    const property = fc.asyncProperty(arbitrary, async (one) => {
      const [sent, got] = await ask(one);
      expect(plain(got)).toEqual(plain(sent));
    });
    await fc.assert(property, { numRuns: 60 });
  }

  it('is taken as it was said: submissions', async () => {
    await survives(fc.tuple(principal, submission, answer), async ([me, one, reply]) => {
      toAnswer = reply;
      const got = await jobs.submit(me, one);
      return [
        [[me, one], reply],
        [given, got],
      ];
    });
  });

  it('is answered as it was meant: answers, lists, maps, truth values, bytes', async () => {
    const query = { statuses: [], limit: 1, cursor: null, idempotencyKey: null, metadata: {} };
    await survives(fc.tuple(principal, id, answer), async ([me, jobId, reply]) => {
      toAnswer = reply;
      const all = [
        await jobs.get(me, jobId as never),
        await jobs.cancel(me, jobId as never),
        await jobs.list(me, query),
      ];
      return [[reply, reply, reply], all];
    });
    await survives(fc.array(fc.tuple(id, fc.nat())), async (pairs) => {
      toAnswer = new Map(pairs);
      return [toAnswer, await jobs.queuePositions([])];
    });
    await survives(fc.tuple(principal, text, fc.boolean()), async ([me, key, claimed]) => {
      toAnswer = claimed;
      const got = await jobs.isKeyClaimed(me, key);
      return [
        [[me, key], claimed],
        [given, got],
      ];
    });
    const workflow = fc.oneof(
      fc.record({ ok: fc.constant(true), value: bytes }),
      fc.record({ ok: fc.constant(false), rejection }),
    );
    await survives(fc.tuple(principal, id, workflow), async ([me, jobId, reply]) => {
      toAnswer = reply;
      return [reply, await jobs.workflow(me, jobId as never)];
    });
  });

  it('may hold more than this version knows, and is refused where it holds less', async () => {
    toAnswer = { ok: true, value: 1 };
    const client = clients[0]!;
    const me = {
      accountId: '01939aaa-0000-7000-8000-000000000001',
      deploymentId: '01939aaa-0000-7000-8000-000000000002',
    };
    const path = '/internal/v1/jobs/get';
    const more = { principal: { ...me, region: 'x' }, jobId: 'j', since: 2 };
    expect((await client.call({ path, head: more, repeatable: true })).head).toEqual(toAnswer);
    expect(given).toEqual([me, 'j']);
    for (const head of [null, {}, { jobId: 'j' }, { principal: { accountId: 'x' }, jobId: 'j' }, { principal: me }]) {
      await expect(client.call({ path, head, repeatable: true })).rejects.toMatchObject({
        status: 400,
        code: 'malformed',
      });
    }
  });
});
