import { CALLS } from '@heddle/internal-api';
import { issueServiceToken, newServiceKeyPair } from '@heddle/platform-service-calls';
import { HeddleClient, textGraph } from '@heddle/testing-api';
import pg from 'pg';
import { expect, it } from 'vitest';
import { describeOnCluster } from './on-cluster.js';

const SCHEMA_OF = { jobs: 'jobs', assets: 'assets' } as const;
/** Rights and secrets are those of a service, whichever of its processes. */
const ONE_OF_EACH = { env: { HEDDLE_TEST_NODES: '1' }, replicas: 'gateway=1,jobs=1,worker=1' };
const IN_AN_HOUR = Math.floor(Date.now() / 1000) + 3600;

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
  const call = async (service: string, path: string, authorization: string | null): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${settingsOf(service)['HEDDLE_CALLS_PORT']}${path}`, {
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
    const client = await HeddleClient.connect(on().cluster.url);
    await client.reached((await client.submitted(textGraph())).id, 'succeeded');
    const url = on().place.databaseUrls.jobs;
    expect((await query(url, 'select count(*)::int as events from jobs.event')).rows[0]).not.toEqual({ events: 0 });
    for (const sql of ['update jobs.event set type = type', 'delete from jobs.event', 'truncate jobs.event']) {
      await expect(query(url, sql), sql).rejects.toThrow(/permission denied/);
    }
  });

  it('each service is told its own secrets and no other one’s', () => {
    expect(settingsOf('gateway')['HEDDLE_DATABASE_URL']).toBeUndefined();
    expect(settingsOf('worker')['HEDDLE_DATABASE_URL']).toBeUndefined();
    expect(settingsOf('jobs')['HEDDLE_S3_SECRET_KEY']).toBeUndefined();
    expect(settingsOf('jobs')['HEDDLE_DATABASE_URL']).not.toBe(settingsOf('assets')['HEDDLE_DATABASE_URL']);
    const tokens = ['gateway', 'jobs', 'assets', 'worker'].map((name) => settingsOf(name)['HEDDLE_SERVICE_TOKEN']);
    expect(new Set(tokens).size).toBe(4);
  });

  it.each([
    ['jobs', CALLS.jobs.submit],
    ['assets', CALLS.assets.get],
    ['validation', CALLS.validation.validate],
  ])('%s answers 401 to whoever has no identity or a forged one', async (service, path) => {
    const claims = { service: 'gateway', deploymentId: null, expiresAt: IN_AN_HOUR };
    const forged = issueServiceToken(newServiceKeyPair().privateKey, claims);
    const [head, , signature] = settingsOf('gateway')['HEDDLE_SERVICE_TOKEN']!.split('.');
    const other = Buffer.from(JSON.stringify({ sub: 'gateway', exp: IN_AN_HOUR + 1 })).toString('base64url');
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${other}.`;
    for (const authorization of [null, 'Bearer x', `Bearer ${forged}`, `Bearer ${head}.${other}.${signature}`, none]) {
      expect(await call(service, path, authorization), String(authorization)).toBe(401);
    }
  });

  it('the token of a worker opens what workers call, and nothing of gateways and replicas', async () => {
    const worker = `Bearer ${settingsOf('worker')['HEDDLE_SERVICE_TOKEN']}`;
    for (const [service, path] of [
      ['jobs', CALLS.jobs.submit],
      ['jobs', CALLS.peers.hints],
      ['assets', CALLS.assets.delete],
      ['validation', CALLS.validation.validate],
    ] as const) {
      expect(await call(service, path, worker), path).toBe(403);
    }
    expect(await call('assets', CALLS.workerAssets.openInput, worker)).not.toBe(403);
    expect(await call('jobs', '/internal/v1/jobs/unknown', null)).toBe(401);
  });
});
