import { readFileSync, statSync } from 'node:fs';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { ASSET_BYTES, WORKER_BYTES } from '@heddle/internal-api';
import {
  ASSETS_CALLS,
  JOBS_CALLS,
  PEERS_CALLS,
  REGISTRY_ADMIN_CALLS,
  VALIDATION_CALLS,
} from '@heddle/internal-api/serve';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';
import { eventually, HeddleClient, textGraph } from '@heddle/testing-api';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { childrenOf } from '../chaos/processes.ts';
import { describeOnCluster } from './on-cluster.js';

const SCHEMA_OF = { jobs: 'jobs', assets: 'assets' } as const;
/** Variables in an operator's shell */
const SHELL = {
  CANARY_SECRET: 'canary-of-the-shell-4c1f',
  HEDDLE_DATABASE_URL: 'postgres://canary-of-the-owner-77aa@127.0.0.1:9/none',
  HEDDLE_STATIC_TOKEN: 'canary-static-token-09be',
  HEDDLE_SERVICE_TOKEN: 'canary-service-token-31dd',
};
const ONE_OF_EACH = {
  env: { ...SHELL, HEDDLE_TEST_NODES: '1', HEDDLE_SERVICE_TOKEN_LIFE_S: '3' },
  replicas: 'gateway=1,jobs=1,worker=1',
};
/** How long an expired token is still accepted */
const CLOCK_SKEW_S = 30;
const GET_ASSET = ASSETS_CALLS.definition.get.path;
const GET_JOB = JOBS_CALLS.definition.get.path;
const SUBMIT = JOBS_CALLS.definition.submit.path;
const VALIDATE = VALIDATION_CALLS.definition.validate.path;
const REGISTRY_QUEUE = REGISTRY_ADMIN_CALLS.definition.queue.path;
const IN_AN_HOUR = Math.floor(Date.now() / 1000) + 3600;

// Set before the servers start, because the launcher inherits the shell's environment.
process.env['CANARY_SECRET'] = SHELL.CANARY_SECRET;

await describeOnCluster('what services of a cluster may do', ONE_OF_EACH, (on) => {
  const query = async (url: string, sql: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const tablesOf = async (schema: string): Promise<string[]> => {
    const sql = `select tablename from pg_tables where schemaname = '${schema}' order by 1`;
    return (await query(on().place.ownerUrl, sql)).rows.map((row: { tablename: string }) => row.tablename);
  };
  const settingsOf = (service: string): Readonly<Record<string, string>> => {
    const found = on().cluster.processes.find(({ plan }) => plan.service === service);
    if (found === undefined) throw new Error(`no ${service} runs`);
    return found.plan.env;
  };
  const pidOf = (service: string): number =>
    on().cluster.processes.find(({ plan }) => plan.service === service)?.pid ?? 0;
  const tokensOf = (service: string): Readonly<Record<string, string>> => {
    const tokens = readFileSync(settingsOf(service)['HEDDLE_SERVICE_TOKEN_FILE']!, 'utf8').trim().split('\n');
    return Object.fromEntries(tokens.map((token) => [claimsIn(token).aud, token]));
  };
  let firstToken = '';
  beforeAll(() => (firstToken = tokensOf('gateway')['jobs']!));
  /** The status of an empty call; gRPC statuses are mapped to HTTP statuses. */
  const call = async (service: string, path: string, authorization: string | null): Promise<number> => {
    const address = `127.0.0.1:${settingsOf(service)['HEDDLE_CALLS_PORT']}`;
    if (path.startsWith('/heddle.')) return await grpcStatus(address, path, authorization);
    const answer = await fetch(`http://${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
      body: '{}',
    });
    await answer.body?.cancel();
    return answer.status;
  };

  it.each([
    ['jobs', 'assets'],
    ['assets', 'jobs'],
  ] as const)('the role of %s reads, writes and drops nothing of %s', async (service, other) => {
    const url = on().place.databaseUrls[service];
    expect((await query(url, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
    const tables = await tablesOf(SCHEMA_OF[other]);
    expect(tables.length).toBeGreaterThan(2);
    for (const table of tables) {
      const name = `${SCHEMA_OF[other]}."${table}"`;
      for (const sql of [`select * from ${name} limit 1`, `delete from ${name}`, `drop table ${name}`]) {
        await expect(query(url, sql), sql).rejects.toThrow(/permission denied|must be owner/);
      }
    }
  });

  it('the role of jobs appends to the log and changes nothing in it', async () => {
    const client = await HeddleClient.connect(on().cluster.url, { token: SHELL.HEDDLE_STATIC_TOKEN });
    await client.reached((await client.submitted(textGraph())).id, 'succeeded');
    const url = on().place.databaseUrls.jobs;
    expect((await query(url, 'select count(*)::int as events from jobs.event')).rows[0]).not.toEqual({ events: 0 });
    for (const sql of ['update jobs.event set type = type', 'delete from jobs.event', 'truncate jobs.event']) {
      await expect(query(url, sql), sql).rejects.toThrow(/permission denied/);
    }
  });

  it('no process holds a variable that its service does not read, and no secret of another one', async () => {
    const { processes } = on().cluster;
    const secrets = { ...SHELL, ownerUrl: on().place.ownerUrl };
    const engines = await eventually('engine processes', () => {
      const found = childrenOf(pidOf('worker'));
      return found.length > 0 ? found : null;
    });
    const all = [
      ...processes.map(({ plan, pid }) => ({ service: plan.service as string, pid: pid! })),
      ...engines.map((pid) => ({ service: 'engine', pid })),
    ];
    expect(new Set(all.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'jobs', 'assets', 'logs', 'validation', 'registry', 'worker', 'engine']),
    );
    const mine = (service: string, secret: string): boolean =>
      secret === 'HEDDLE_STATIC_TOKEN' && ['gateway', 'registry'].includes(service);
    const dataUrls = Object.entries(on().place.databaseUrls);
    for (const { service, pid } of all) {
      const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(environ.length, service).toBeGreaterThan(20);
      for (const [name, secret] of Object.entries(secrets)) {
        expect([service, name, environ.includes(secret)]).toEqual([service, name, mine(service, name)]);
      }
      for (const [owner, url] of dataUrls) {
        expect([service, owner, environ.includes(url)]).toEqual([service, owner, owner === service]);
      }
      const s3 = environ.includes(on().place.servers.s3.secretKey);
      expect([service, 's3', s3]).toEqual([service, 's3', ['assets', 'registry'].includes(service)]);
      // Tokens are only in files.
      expect([service, 'token', environ.includes('eyJ')]).toEqual([service, 'token', false]);
    }
    for (const pid of engines) {
      const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((line) => line.split('=')[0]!);
      expect(names.filter((name) => name.startsWith('HEDDLE_'))).toEqual(['HEDDLE_TEST_NODES']);
    }
  });

  it('no server of the cluster holds what stands in the environment of its launcher', () => {
    const mine = new Set(on().cluster.processes.map(({ pid }) => pid));
    const servers = childrenOf(process.pid).filter((pid) => !mine.has(pid));
    const programs = servers.map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
    expect(programs).toEqual(expect.arrayContaining(['java', 'versitygw', 'postgres']));
    for (const pid of servers) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8'), `${pid}`).not.toContain(SHELL.CANARY_SECRET);
    }
  });

  it('a token opens the service that it names, and no other one', async () => {
    const tokens = tokensOf('gateway');
    expect(Object.keys(tokens).sort()).toEqual(['assets', 'jobs', 'logs', 'registry', 'validation']);
    const path = { jobs: GET_JOB, assets: GET_ASSET, validation: VALIDATE, registry: REGISTRY_QUEUE } as const;
    for (const [called, target] of Object.entries(path)) {
      for (const [audience, token] of Object.entries(tokens)) {
        const status = await call(called, target, `Bearer ${token}`);
        if (audience === called) expect(status, called).not.toBe(401);
        else expect([called, audience, status]).toEqual([called, audience, 401]);
      }
    }
    expect(statSync(settingsOf('gateway')['HEDDLE_SERVICE_TOKEN_FILE']!).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['jobs', SUBMIT],
    ['assets', GET_ASSET],
    ['assets', ASSET_BYTES.upload],
    ['validation', VALIDATE],
  ])('%s answers 401 to whoever has no identity or a forged one', async (service, path) => {
    const claims = { service: 'gateway', audience: service, deploymentId: null, expiresAt: IN_AN_HOUR };
    const forged = await issueServiceToken(newServiceKeyPair().privateKey, claims);
    const [head, , signature] = tokensOf('gateway')[service]!.split('.');
    const other = Buffer.from(JSON.stringify({ sub: 'gateway', aud: service, exp: IN_AN_HOUR + 1 })).toString(
      'base64url',
    );
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${other}.`;
    for (const authorization of [null, 'Bearer x', `Bearer ${forged}`, `Bearer ${head}.${other}.${signature}`, none]) {
      expect(await call(service, path, authorization), String(authorization)).toBe(401);
    }
  });

  it('the token of a worker opens what workers call, and nothing of gateways and replicas', async () => {
    for (const [service, path] of [
      ['jobs', SUBMIT],
      ['jobs', PEERS_CALLS.definition.hint.path],
      ['assets', ASSETS_CALLS.definition.delete.path],
      ['assets', ASSET_BYTES.read],
    ] as const) {
      expect(await call(service, path, `Bearer ${tokensOf('worker')[service]}`), path).toBe(403);
    }
    const assets = await call('assets', WORKER_BYTES.openInput, `Bearer ${tokensOf('worker')['assets']}`);
    expect([401, 403]).not.toContain(assets);
    expect(await call('jobs', '/internal/v1/jobs/unknown', null)).toBe(401);
  });

  it('tokens of a few seconds are renewed without a restart: work goes on when the first ones are long over', async () => {
    const pids = on().cluster.processes.map(({ pid }) => pid);
    const { exp } = claimsIn(firstToken);
    const over = (exp + CLOCK_SKEW_S) * 1_000;
    await eventually('the end of the first tokens', () => Date.now() > over || null, 60_000);
    expect(await call('jobs', GET_JOB, `Bearer ${firstToken}`)).toBe(401);
    const client = await HeddleClient.connect(on().cluster.url, { token: SHELL.HEDDLE_STATIC_TOKEN });
    await client.reached((await client.submitted(textGraph())).id, 'succeeded');
    expect(on().cluster.processes.map(({ pid }) => pid)).toEqual(pids);
  });
});

const HTTP_STATUSES: Readonly<Record<number, number>> = {
  [status.OK]: 200,
  [status.INVALID_ARGUMENT]: 400,
  [status.UNAUTHENTICATED]: 401,
  [status.PERMISSION_DENIED]: 403,
};

async function grpcStatus(address: string, path: string, authorization: string | null): Promise<number> {
  const client = new Client(address, credentials.createInsecure());
  const metadata = new Metadata();
  if (authorization !== null) metadata.set('authorization', authorization);
  const same = (bytes: Buffer): Buffer => bytes;
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest(path, same, same, Buffer.alloc(0), metadata, (error) =>
        resolve(HTTP_STATUSES[error?.code ?? status.OK] ?? 500),
      );
    });
  } finally {
    client.close();
  }
}

function claimsIn(token: string): { readonly aud: string; readonly exp: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { aud: string; exp: number };
}
