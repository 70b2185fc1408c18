import { randomUUID } from 'node:crypto';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adoptRestoredLog, Sequencer, verifyLog, type SequencerAlarm } from '../index.js';
import { anEvent, append, LOG_MIGRATIONS, ROLE, SCHEMA, sequenced, until } from '../event-log.fixture.js';

/** Makes every event look as if a server with much higher transaction ids had written it. */
const FROM_ANOTHER_SERVER = `
  alter table log.event disable trigger append_only; alter table log.event_seq disable trigger append_only;
  update log.event set txid = (txid::text::bigint + 1000000000000)::text::xid8;
  update log.event_seq set txid = (txid::text::bigint + 1000000000000)::text::xid8;
  update log.event_held set txid = (txid::text::bigint + 1000000000000)::text::xid8;
  update log.seq_cursor set txid = (txid::text::bigint + 1000000000000)::text::xid8;
  alter table log.event enable trigger append_only; alter table log.event_seq enable trigger append_only`;

describe('a log that was restored into another server', () => {
  let database: TestDatabase;
  let sequencer: Sequencer | undefined;
  const alarms: SequencerAlarm[] = [];
  beforeAll(async () => {
    database = await freshDatabase({ migrations: LOG_MIGRATIONS });
  });
  afterAll(async () => {
    await sequencer?.stop();
    await database.drop();
  });

  function start(): void {
    sequencer = new Sequencer({
      pool: database.pool(ROLE),
      schema: SCHEMA,
      netMs: 20,
      alarmMs: 100,
      onAlarm: (alarm) => alarms.push(alarm),
    });
    sequencer.start();
  }

  it('is told, stands still, and goes on with one chain after it was adopted', async () => {
    const pool = database.pool(ROLE);
    const [stream, late, held] = [randomUUID(), randomUUID(), randomUUID()];
    start();
    await append(pool, anEvent(stream, 1), anEvent(held, 2));
    await until('the first has its number', async () => (await sequenced(pool)).length === 1);
    await sequencer!.stop();
    // In the log but not yet numbered when the copy was made.
    await append(pool, anEvent(late, 1), anEvent(stream, 2));
    await database.owner.query(FROM_ANOTHER_SERVER);

    start();
    await append(pool, anEvent(stream, 3), anEvent(held, 1));
    await until('the alarm', () => alarms.some(({ kind }) => kind === 'restored'));
    expect(await sequenced(pool)).toHaveLength(1);
    await sequencer!.stop();
    expect(await adoptRestoredLog(database.owner, SCHEMA)).toBe(6);
    expect(await adoptRestoredLog(database.owner, SCHEMA)).toBeNull();

    start();
    await append(pool, anEvent(late, 2));
    await until('everything has its number', async () => (await sequenced(pool)).length === 7);
    const order = await sequenced(pool);
    const versionsOf = (id: string): number[] => order.filter(({ streamId }) => streamId === id).map((e) => e.version);
    expect([versionsOf(stream), versionsOf(late), versionsOf(held)]).toEqual([
      [1, 2, 3],
      [1, 2],
      [1, 2],
    ]);
    expect(await verifyLog(database.owner, SCHEMA)).toMatchObject({ events: 7n, faults: [] });
    await expect(database.owner.query('delete from log.event')).rejects.toThrow('is append-only');
  });
});
