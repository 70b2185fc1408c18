import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { freshDatabase } from '@heddle/testing-database';
import { JobsModule, JOBS_MIGRATIONS } from '@heddle/jobs';
import { JOBS_PORT, newUuid } from '@heddle/contracts-messages';
const db = await freshDatabase({ migrations: [JOBS_MIGRATIONS] });
const ctx = await NestFactory.createApplicationContext(
  JobsModule.register({ database: db.database, settings: { queueDepth: 1e7, queueDepthAccount: 1e7 } }),
  { logger: false },
);
const jobs = ctx.get(JOBS_PORT);
const me = { accountId: newUuid(), deploymentId: newUuid() };
const workflow = Buffer.from(JSON.stringify({ a: 'x'.repeat(1700) }));
const sub = () => ({
  jobId: newUuid(),
  idempotencyKey: newUuid(),
  workflow,
  nodesTotal: 10,
  metadata: {},
  inputs: [],
  credentials: null,
  requestId: newUuid(),
  traceparent: null,
});
const pool = db.pool('heddle_jobs');
const N = Number(process.argv[2] ?? 30000),
  B = Number(process.argv[3] ?? 64);
await Promise.all(Array.from({ length: B }, () => jobs.submit(me, sub())));
for (let i = 0; i < N; i += 512) await Promise.all(Array.from({ length: 512 }, () => jobs.submit(me, sub())));
await db.owner.query('analyze');
const orig = pool.query.bind(pool);
let plan;
pool.query = async (q, v) => {
  if (q?.name !== 'submit-jobs') return orig(q, v);
  const { rows } = await orig({ text: 'explain (analyze, buffers, timing on) ' + q.text, values: q.values });
  plan = rows.map((r) => r['QUERY PLAN']).join('\n');
  throw new Error('explained');
};
for (let i = 0; i < 3; i++) await Promise.all(Array.from({ length: B }, () => jobs.submit(me, sub()).catch(() => 0)));
console.log(plan);
await ctx.close();
await db.drop();
process.exit(0);
