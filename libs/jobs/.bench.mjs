import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { freshDatabase } from '@heddle/testing-database';
import { JobsModule, JOBS_MIGRATIONS, verifyReadModel, rebuildReadModel } from '@heddle/jobs';
import { JOBS_PORT, LEASES_PORT, newUuid } from '@heddle/contracts-messages';
const db = await freshDatabase({ migrations: [JOBS_MIGRATIONS] });
const ctx = await NestFactory.createApplicationContext(
  JobsModule.register({ database: db.database, settings: { queueDepth: 1e7, queueDepthAccount: 1e7 } }),
  { logger: false },
);
const dbName = new URL(db.ownerUrl).pathname.slice(1);
const jobs = ctx.get(JOBS_PORT),
  leases = ctx.get(LEASES_PORT);
const me = { accountId: newUuid(), deploymentId: newUuid() };
const graph = {};
for (let i = 0; i < 10; i++)
  graph[i] = {
    class_type: 'ImageScale',
    inputs: {
      image: [String(i - 1), 0],
      upscale_method: 'lanczos',
      width: 512,
      height: 512,
      crop: 'disabled',
      text: 'x'.repeat(40),
    },
  };
const workflow = Buffer.from(JSON.stringify(graph));
console.log('workflow bytes', workflow.length);
const sub = (k = true) => ({
  jobId: newUuid(),
  idempotencyKey: k ? newUuid() : null,
  workflow,
  nodesTotal: 10,
  metadata: {},
  inputs: [],
  credentials: null,
  requestId: newUuid(),
  traceparent: null,
});
function pgCpu() {
  let t = 0;
  for (const d of readdirSync('/proc')) {
    if (!/^\d+$/.test(d)) continue;
    try {
      const s = readFileSync(`/proc/${d}/stat`, 'utf8');
      const name = s.slice(s.indexOf('(') + 1, s.lastIndexOf(')'));
      if (name !== 'postgres' || !readFileSync(`/proc/${d}/cmdline`, 'utf8').includes(dbName)) continue;
      const f = s.slice(s.lastIndexOf(')') + 2).split(' ');
      t += Number(f[11]) + Number(f[12]);
    } catch {}
  }
  return t * 10000;
}
const pct = (a, p) => a.sort((x, y) => x - y)[Math.min(a.length - 1, Math.floor(a.length * p))];
async function run(c, ms) {
  const end = performance.now() + ms;
  let n = 0;
  const lat = [];
  const cpu0 = process.cpuUsage(),
    pg0 = pgCpu(),
    t0 = performance.now();
  await Promise.all(
    Array.from({ length: c }, async () => {
      while (performance.now() < end) {
        const s = performance.now();
        const a = await jobs.submit(me, sub());
        if (!a.ok) throw new Error(a.rejection.code);
        lat.push(performance.now() - s);
        n++;
      }
    }),
  );
  const cpu = process.cpuUsage(cpu0),
    el = performance.now() - t0;
  console.log(
    `submit c=${c}: ${((n / el) * 1000).toFixed(0)}/s node ${((cpu.user + cpu.system) / n).toFixed(1)} us pg ${((pgCpu() - pg0) / n).toFixed(1)} us p50 ${pct(lat, 0.5).toFixed(2)} p99 ${pct(lat, 0.99).toFixed(2)} ms`,
  );
}
const what = process.argv[2] ?? 'all';
if (process.env.PLAN) await db.owner.query(`alter database ${dbName} set plan_cache_mode = ${process.env.PLAN}`);
if (what === 'all' || what === 'submit') {
  await run(64, 1000);
  for (let i = 0; i < 3; i++) await run(64, 2000);
  await run(1, 500);
  await run(1, 1500);
}
if (what === 'all' || what === 'd1') {
  const p2 = { accountId: newUuid(), deploymentId: newUuid() };
  const ack = [],
    sto = [];
  for (let i = 0; i < 400; i++) {
    const got = leases
      .acquire(
        { workerId: 'w', environment: 'e', deploymentId: p2.deploymentId, slots: 1, waitMs: 5000 },
        new AbortController().signal,
      )
      .then(([l]) => [l, performance.now()]);
    await new Promise((r) => setTimeout(r, 2));
    const s = performance.now();
    await jobs.submit(p2, sub());
    const a = performance.now();
    const [l, t] = await got;
    if (i >= 100) {
      ack.push(t - a);
      sto.push(t - s);
    }
    await leases.ingest([
      {
        kind: 'outcome',
        jobId: l.jobId,
        accountId: l.accountId,
        deploymentId: l.deploymentId,
        workerId: 'w',
        fence: l.fence,
        sequence: 1,
        outcome: { kind: 'succeeded' },
        progress: {
          value: 1,
          nodesDone: 10,
          nodesTotal: 10,
          currentNode: null,
          currentNodeClass: null,
          step: null,
          steps: null,
          message: null,
        },
      },
    ]);
  }
  console.log(
    `D1 ack->start p50 ${pct(ack, 0.5).toFixed(2)} p99 ${pct(ack, 0.99).toFixed(2)}; D2 submit->start p50 ${pct(sto, 0.5).toFixed(2)} p99 ${pct(sto, 0.99).toFixed(2)}`,
  );
}
if (what === 'all' || what === 'claims') {
  const p3 = { accountId: newUuid(), deploymentId: newUuid() };
  await Promise.all(Array.from({ length: 2000 }, () => jobs.submit(p3, sub())));
  const t = performance.now();
  let n = 0;
  const ls = [];
  while (n < 2000) {
    const l = await leases.acquire(
      { workerId: 'w', environment: 'e', deploymentId: p3.deploymentId, slots: 32, waitMs: 1000 },
      new AbortController().signal,
    );
    n += l.length;
    ls.push(...l);
  }
  console.log(`D4 claims ${((2000 / (performance.now() - t)) * 1000).toFixed(0)}/s`);
  const t2 = performance.now();
  for (let i = 0; i < ls.length; i += 64)
    await Promise.all(
      ls.slice(i, i + 64).map(async (l) => {
        const h = (s) => ({
          jobId: l.jobId,
          accountId: l.accountId,
          deploymentId: l.deploymentId,
          workerId: 'w',
          fence: l.fence,
          sequence: s,
        });
        const node = (s) => ({
          kind: 'node_finished',
          ...h(s),
          nodeId: '1',
          classType: 'X',
          startedAt: 'a',
          endedAt: 'b',
          cached: false,
        });
        await leases.ingest([
          node(1),
          node(2),
          node(3),
          node(4),
          node(5),
          node(6),
          node(7),
          node(8),
          {
            kind: 'outcome',
            ...h(9),
            outcome: { kind: 'succeeded' },
            progress: {
              value: 1,
              nodesDone: 10,
              nodesTotal: 10,
              currentNode: null,
              currentNodeClass: null,
              step: null,
              steps: null,
              message: null,
            },
          },
        ]);
      }),
    );
  console.log(`ingest ${(((ls.length * 9) / (performance.now() - t2)) * 1000).toFixed(0)} events/s`);
}
if (what === 'all' || what === 'get') {
  const { id } = (await jobs.submit(me, sub())).value;
  let n = 0;
  const t = performance.now();
  const c0 = process.cpuUsage();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (performance.now() < t + 1500) {
        await jobs.get(me, id);
        n++;
      }
    }),
  );
  const c = process.cpuUsage(c0);
  console.log(
    `get ${((n / (performance.now() - t)) * 1000).toFixed(0)}/s node ${((c.user + c.system) / n).toFixed(1)} us`,
  );
}
await ctx.close();
if (what === 'all' || what === 'rebuild') {
  const { rows } = await db.owner.query('select count(*) n from jobs.event');
  console.log('events', rows[0].n);
  let t = performance.now();
  const r = await verifyReadModel(db.pool('heddle_jobs'));
  console.log(`verify ${((r.events / (performance.now() - t)) * 1000).toFixed(0)} events/s`, r);
  t = performance.now();
  const b = await rebuildReadModel(db.owner, 'jobs_rebuilt');
  console.log(`rebuild ${((b.events / (performance.now() - t)) * 1000).toFixed(0)} events/s`, b);
}
await db.drop();
process.exit(0);
