import { expectStatus, freshBytes, jsonOf, multipart, uploadParts } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { startKeyed } from '../../security/keyed-heddle.ts';
import type { KeyedHeddle } from '../../security/keyed-heddle.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { runLoad } from '../http-load.ts';
import { cpuUs } from '../process-cpu.ts';
import type { Sample } from '../rows.ts';
import { postmasterOf, RAISED } from '../servers.ts';
import type { BenchServers } from '../servers.ts';
import { submissionLoad, VALID, withCpu } from './submit.ts';
import type { SubmissionTarget } from './submit.ts';

const CONNECTIONS = 64;
const GRANTED = 1_000_000_000;
const DEPLOYMENTS = 1_000;
/** The first commands leave objects in the heap that belong to no deployment. */
const WARM_DEPLOYMENTS = 100;
const AT_ONCE = 8;
const TURNS = 3;
const ASSETS = 200;
const ACCOUNT = 'bench';
const ENV = { ...RAISED, HEDDLE_WORKERS: '0' };

/** Rows M1 to M5: the managed surface beside the self-hosted one of the same run, and beside one with many deployments. */
export async function measureManaged({ product, productStorePid }: BenchServers): Promise<Sample> {
  const heddle = await startKeyed(ENV);
  const crowded = await startKeyed(ENV);
  try {
    await createDeployments(crowded, 0, WARM_DEPLOYMENTS);
    const before = await collectGarbage(crowded.pid);
    await createDeployments(crowded, WARM_DEPLOYMENTS, WARM_DEPLOYMENTS + DEPLOYMENTS);
    const after = await collectGarbage(crowded.pid);
    const own = { port: product.port, pid: product.pid, storePid: productStorePid() };
    const managed = await targetOf(heddle);
    const beside = await targetOf(crowded);
    const [selfHosted, free] = await leastCpu(own, managed, beside);
    const redirect = await redirects(heddle, managed.token);
    for (const one of [heddle, crowded]) await setPrice(one);
    const [pricedSelfHosted, priced, pricedBeside] = await leastCpu(own, managed, beside);
    return {
      'self-hosted.cpu': selfHosted!,
      'self-hosted-later.cpu': pricedSelfHosted!,
      'managed.cpu': free!,
      'priced.cpu': priced!,
      'priced-beside.cpu': pricedBeside!,
      'redirect.cpu': redirect,
      'deployment.kib': (after - before) / DEPLOYMENTS / 1024,
    };
  } finally {
    await heddle.stop();
    await crowded.stop();
  }
}

async function targetOf(heddle: KeyedHeddle): Promise<SubmissionTarget & { readonly token: string }> {
  return {
    port: heddle.port,
    pid: heddle.pid,
    storePid: postmasterOf(heddle.pid),
    token: await heddle.keyOf(ACCOUNT),
  };
}

async function setPrice(heddle: KeyedHeddle): Promise<void> {
  await heddle.admin('POST', `credits/${ACCOUNT}/grant`, { amount: GRANTED });
  await heddle.admin('PUT', 'prices/managed', { per_job: 1, per_second: 0.001 });
}

/** CPU of a submission to each, the least of turns that alternate: the first turns of a process pay for its compiler. */
async function leastCpu(...targets: readonly SubmissionTarget[]): Promise<number[]> {
  const least = targets.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < TURNS; turn++)
    for (const [at, target] of targets.entries())
      least[at] = Math.min(least[at]!, (await submissionLoad(target, CONNECTIONS, VALID)).cpu);
  return least;
}

/** CPU of the service for one 302 to signed content, in microseconds. */
async function redirects(heddle: KeyedHeddle, token: string): Promise<number> {
  const requests: Buffer[] = [];
  while (requests.length < ASSETS) requests.push(await contentRequest(heddle, token));
  let next = 0;
  const request = (): Buffer => requests[next++ % ASSETS]!;
  const load = { port: heddle.port, connections: CONNECTIONS, warmMs: 4_000, measureMs: 3_000, expectStatus: 302 };
  const read = (): number => cpuUs(heddle.pid);
  return (await withCpu(read, (around) => runLoad({ ...load, request }, around))).cpu;
}

/** For the content of a new asset */
async function contentRequest(heddle: KeyedHeddle, token: string): Promise<Buffer> {
  const form = multipart(uploadParts({ bytes: freshBytes(), content_type: 'text/plain', file_path: 'bench.bin' }));
  const headers = { 'content-type': form.contentType };
  const sent = { method: 'POST', target: '/api/v2/assets', headers, body: form.bytes };
  const { id } = jsonOf<Asset>(expectStatus(await heddle.ask(token, sent), 201));
  return Buffer.from(
    `GET /api/v2/assets/${id}/content HTTP/1.1\r\nhost: 127.0.0.1:${heddle.port}\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
}

async function createDeployments(heddle: KeyedHeddle, from: number, to: number): Promise<void> {
  let next = from;
  const create = async (): Promise<void> => {
    for (let n = next++; n < to; n = next++)
      await heddle.admin('POST', 'deployments', { label: `bench-${n}`, provider: 'external' });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
}
