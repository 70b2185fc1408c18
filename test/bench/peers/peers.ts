// Submission rates of other job queues on the floors' database: 64 at once, in a separate process, one row per job.
// argv: database URL. Prints one JSON object.
import { makeWorkerUtils } from 'graphile-worker';
import { PgBoss } from 'pg-boss';

const url = process.argv[2] ?? '';
const WARM_MS = 500;
const MEASURE_MS = 2000;
const payload = { workflow: { note: 'x'.repeat(1600) } };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function rate(submit: () => Promise<unknown>): Promise<number> {
  let count = 0;
  let stopped = false;
  const loops = Array.from({ length: 64 }, async () => {
    while (!stopped) {
      await submit();
      count += 1;
    }
  });
  await pause(WARM_MS);
  count = 0;
  const began = performance.now();
  await pause(MEASURE_MS);
  const perSecond = count / ((performance.now() - began) / 1000);
  stopped = true;
  await Promise.all(loops);
  return perSecond;
}

const boss = new PgBoss({ connectionString: url, max: 32 });
await boss.start();
await boss.createQueue('bench');
const pgBoss = await rate(() => boss.send('bench', payload));
await boss.stop({ graceful: false });

const graphile = await makeWorkerUtils({ connectionString: url, maxPoolSize: 32 });
await graphile.migrate();
const graphileWorker = await rate(() => graphile.addJob('bench', payload));
await graphile.release();
process.stdout.write(`${JSON.stringify({ 'pg-boss': pgBoss, 'graphile-worker': graphileWorker })}\n`);
process.exit(0);
