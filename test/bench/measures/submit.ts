import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { FOUR_ROW_TABLES, insertInTransaction } from '../floors/four-rows.ts';
import { startFloor } from '../floor-server.ts';
import { pause, post, runLoad } from '../http-load.ts';
import type { LoadResult } from '../http-load.ts';
import { cpuUs, treeCpuUs } from '../process-cpu.ts';
import type { BenchServers } from '../servers.ts';
import type { Sample } from '../rows.ts';
import { tenNodes } from '../workflows.ts';

/** A process that has just started compiles its hot code for some 20,000 requests; the floors warm up as long. */
const WARM_MS = 5000;
const MEASURE_MS = 2500;
/** Each submission of the rows */
export const VALID: Kind = { body: JSON.stringify({ workflow: tenNodes() }), status: 201, key: randomUUID };
const { body } = VALID;
const invalidBody = JSON.stringify({ workflow: { ...tenNodes(), '11': { class_type: 'NoSuchNode', inputs: {} } } });

/** Rows S1 to S7: the product and its floors in turn, on the same database software. */
export async function measureSubmissions(servers: BenchServers): Promise<Sample> {
  const coalesced = await floorLoad(servers, 'coalesced', 64);
  const single = await floorLoad(servers, 'cte', 1);
  const raw = await rawTransactions(servers);
  const product = await productLoad(servers, 64, VALID);
  const productSingle = await productLoad(servers, 1, VALID);
  const refused = await productLoad(servers, 64, { body: invalidBody, status: 422, key: null });
  const claimed = randomUUID();
  await fetch(`${servers.product.url}/api/v2/jobs`, { method: 'POST', body, headers: { 'idempotency-key': claimed } });
  const reused = await productLoad(servers, 64, { body, status: 422, key: () => claimed });
  const noop = await noopLoad();
  return {
    'http-four-rows-coalesced.cpu': coalesced.cpu,
    'http-four-rows-coalesced.rate': coalesced.perSecond,
    'http-four-rows-coalesced.p99': coalesced.p99Ms,
    'http-four-rows-cte1.p50': single.p50Ms,
    'http-four-rows-cte1.p99': single.p99Ms,
    'four-inserts.rate': raw,
    'submit.cpu': product.cpu,
    'submit.rate': product.perSecond,
    'submit.p99': product.p99Ms,
    'submit1.p50': productSingle.p50Ms,
    'submit1.p99': productSingle.p99Ms,
    'refused.rate': refused.perSecond,
    'reused.rate': reused.perSecond,
    'nest-noop.rate': noop.perSecond,
  };
}

/** Measures only the group-commit floor, for comparisons with nothing else. */
export async function coalescedFloor(servers: BenchServers): Promise<Sample> {
  const { cpu, perSecond, p99Ms } = await floorLoad(servers, 'coalesced', 64);
  return {
    'http-four-rows-coalesced.cpu': cpu,
    'http-four-rows-coalesced.rate': perSecond,
    'http-four-rows-coalesced.p99': p99Ms,
  };
}

export type Measured = LoadResult & { readonly cpu: number };

/** CPU per operation in the client, the server and the store, in microseconds. */
export async function withCpu(
  read: () => number,
  load: (around: { open(): void; close(): void }) => Promise<LoadResult>,
): Promise<Measured> {
  let opened = 0;
  let closed = 0;
  const result = await load({ open: () => (opened = read()), close: () => (closed = read()) });
  return { ...result, cpu: (closed - opened) / result.count };
}

async function floorLoad(servers: BenchServers, mode: 'cte' | 'coalesced', connections: number): Promise<Measured> {
  const { url, serverPid } = servers.floorDatabase;
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(FOUR_ROW_TABLES);
  await admin.end();
  const server = await startFloor('http-four-rows.ts', [url, mode]);
  try {
    const read = (): number => cpuUs(process.pid) + cpuUs(server.pid) + treeCpuUs(serverPid);
    const request = (): Buffer => post('/', body, { 'idempotency-key': randomUUID() });
    return await withCpu(read, (around) =>
      runLoad(
        { port: server.port, connections, warmMs: WARM_MS, measureMs: MEASURE_MS, request, expectStatus: 201 },
        around,
      ),
    );
  } finally {
    await server.stop();
  }
}

export interface Kind {
  readonly body: string;
  readonly status: number;
  readonly key: (() => string) | null;
}

async function productLoad(servers: BenchServers, connections: number, kind: Kind): Promise<Measured> {
  return await submissionLoad({ ...servers.product, storePid: servers.productStorePid() }, connections, kind);
}

export interface SubmissionTarget {
  readonly port: number;
  readonly pid: number;
  readonly storePid: number;
  /** A key, where the surface asks for one */
  readonly token?: string;
}

/** `apart`: a backend of the store that works for somebody else, whose CPU is not counted */
export async function submissionLoad(
  product: SubmissionTarget,
  connections: number,
  kind: Kind,
  apart?: number,
): Promise<Measured> {
  const read = (): number =>
    cpuUs(process.pid) + cpuUs(product.pid) + treeCpuUs(product.storePid) - (apart === undefined ? 0 : cpuUs(apart));
  const headers = (): Record<string, string> => ({
    ...(kind.key !== null && { 'idempotency-key': kind.key() }),
    ...(product.token !== undefined && { authorization: `Bearer ${product.token}` }),
  });
  const request = (): Buffer => post('/api/v2/jobs', kind.body, { host: `127.0.0.1:${product.port}`, ...headers() });
  const measured = await withCpu(read, (around) =>
    runLoad(
      { port: product.port, connections, warmMs: WARM_MS, measureMs: MEASURE_MS, request, expectStatus: kind.status },
      around,
    ),
  );
  await pause(300);
  return measured;
}

async function rawTransactions(servers: BenchServers): Promise<number> {
  const pool = new pg.Pool({ connectionString: servers.floorDatabase.url, max: 32 });
  await pool.query(FOUR_ROW_TABLES);
  const bytes = Buffer.from(body);
  let count = 0;
  let stopped = false;
  const loops = Array.from({ length: 64 }, async () => {
    while (!stopped) {
      await insertInTransaction(pool, { id: randomUUID(), key: randomUUID(), body: bytes });
      count += 1;
    }
  });
  await pause(WARM_MS);
  count = 0;
  const began = performance.now();
  await pause(MEASURE_MS);
  const rate = count / ((performance.now() - began) / 1000);
  stopped = true;
  await Promise.all(loops);
  await pool.end();
  return rate;
}

async function noopLoad(): Promise<LoadResult> {
  const server = await startFloor('nest-noop.ts');
  try {
    const request = (): Buffer => post('/noop', body);
    return await runLoad(
      { port: server.port, connections: 64, warmMs: WARM_MS, measureMs: MEASURE_MS, request, expectStatus: 422 },
      { open: () => undefined, close: () => undefined },
    );
  } finally {
    await server.stop();
  }
}
