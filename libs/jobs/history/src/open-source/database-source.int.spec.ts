import pg from 'pg';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { emptyLogDatabase, numberEvents } from '../logged-database.fixture.js';
import { DatabaseSource } from './database-source.js';
import { describeHistorySource } from './history-source.suite.js';

const INSERT = `
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence, worker_seq,
                          is_terminal, recorded_at, correlation_id, causation_id, data)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

async function insert(client: pg.Client, event: NumberedEvent): Promise<void> {
  await client.query(INSERT, [
    ...[event.eventId, event.streamId, event.version, event.type, event.schemaVersion],
    ...[event.accountId, event.deploymentId, event.fence, event.workerSeq, event.isTerminal],
    ...[event.recordedAt, event.correlationId, event.causationId, event.data],
  ]);
}

describeHistorySource('in a database', async (events) => {
  const db = await emptyLogDatabase();
  const client = new pg.Client(db.ownerUrl);
  await client.connect();
  const numbered = events.filter(({ seq }) => seq !== null);
  for (const event of numbered) await insert(client, event);
  await numberEvents(db, numbered.length);
  for (const event of events.filter(({ seq }) => seq === null)) await insert(client, event);
  return {
    open: () => new DatabaseSource(client, 'database'),
    canSearch: true,
    end: async () => {
      await client.end();
      await db.drop();
    },
  };
});
