// The worked example of docs/how-to/keep-a-projection.md: keeps accounts_daily in a database of its own.
import { parseArgs } from 'node:util';
import { inTransaction, isOutage } from '@heddle/platform-database';
import { KafkaMessageBus } from '@heddle/platform-message-bus/kafka';
import type { InboxSession } from '@heddle/platform-message-bus/follow-log';
import {
  ACCOUNTS_DAILY_SCHEMA,
  accountsDailySql,
  foldAccountsDaily,
  OtherLogError,
  ProjectionConsumer,
  ProjectionHoleError,
} from '@heddle/jobs-projections';
import pg from 'pg';

const LOOK_EVERY_MS = 10_000;

const { values } = parseArgs({
  options: {
    'database-url': { type: 'string' },
    brokers: { type: 'string' },
    group: { type: 'string', default: 'accounts-daily' },
    from: { type: 'string' },
  },
});
const brokers = values.brokers?.split(',') ?? [];
if (values['database-url'] === undefined || brokers.length === 0) {
  process.stderr.write(
    'usage: accounts-daily-consumer.ts --database-url URL --brokers HOST:PORT,... [--from EXPORT]\n',
  );
  process.exit(2);
}

const pool = new pg.Pool({ connectionString: values['database-url'], max: 4 });
// A connection that breaks while nobody uses it must not end the process: the next query finds out.
pool.on('error', () => undefined);
const { rows } = await pool.query('select from pg_namespace where nspname = $1', [ACCOUNTS_DAILY_SCHEMA]);
if (rows.length === 0) await pool.query(`begin; ${accountsDailySql('current_user')}; commit`);

const session = (client: pg.PoolClient): InboxSession => ({
  query: async (statement, columns) => (await client.query({ ...statement, values: [...columns] })).rows,
});
const consumer = new ProjectionConsumer({
  schema: ACCOUNTS_DAILY_SCHEMA,
  transaction: (work) => inTransaction(pool, (client) => work(session(client))),
  fold: foldAccountsDaily,
});

if (values.from !== undefined) {
  const { ExportSource, HistoryEngine } = await import('@heddle/jobs-history/exports');
  const { checkedManifest, ExportFolder, segmentPaths } = await import('@heddle/jobs-history/queries');
  const place = new ExportFolder(values.from);
  const manifest = await checkedManifest(place);
  const engine = await HistoryEngine.open();
  const source = new ExportSource(place.name, engine.connection, segmentPaths(place, manifest));
  const { seq } = await consumer.catchUp({
    firstSeq: manifest.segments[0]?.from_seq ?? 1,
    events: (after, signal) => source.events(after, signal),
  });
  engine.close();
  process.stdout.write(`${JSON.stringify({ event: 'caught_up', seq })}\n`);
}

const bus = await KafkaMessageBus.connect({
  brokers,
  clientId: values.group,
  // A hole, another log and a database that is away are not caused by the messages, which wait.
  isOutage: (error) => error instanceof ProjectionHoleError || error instanceof OtherLogError || isOutage(error),
  onOutage: ({ reason }) => {
    if (reason !== null) process.stderr.write(`waiting: ${reason}\n`);
  },
});
await consumer.subscribe(bus, values.group);
process.stdout.write(`${JSON.stringify({ event: 'subscribed' })}\n`);

let seen = '';
const looks = setInterval(() => {
  void consumer.hole().then(
    (hole) => {
      const text = hole === null ? '' : JSON.stringify({ event: 'hole', ...hole });
      // A hole that two looks have seen does not come from messages under way.
      if (text !== '' && text === seen) process.stderr.write(`${text}\n`);
      seen = text;
    },
    (error: unknown) => process.stderr.write(`${String(error)}\n`),
  );
}, LOOK_EVERY_MS);
process.once('SIGTERM', () => {
  clearInterval(looks);
  void bus.close().then(() => pool.end());
});
