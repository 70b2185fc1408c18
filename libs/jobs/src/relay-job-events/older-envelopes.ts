import { Inject, Injectable } from '@nestjs/common';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import { JOBS_POOL } from '../jobs-connections.js';
import { deriveSql } from './older-envelopes.sql.js';
import type { DerivedRow } from './older-envelopes.sql.js';

/** Adds status and trace to events written by a build without the envelope. */
@Injectable()
export class OlderEnvelopes {
  constructor(@Inject(JOBS_POOL) private readonly pool: Pick<ClientBase, 'query'>) {}

  /** Returns the events in the same order; one query if any row lacks its status, otherwise none. */
  async complete(events: readonly SequencedEvent[]): Promise<readonly SequencedEvent[]> {
    const older = events.filter((event) => event.status === null);
    if (older.length === 0) return events;
    const { rows } = await this.pool.query<DerivedRow>({
      name: 'derive-envelope',
      text: deriveSql,
      values: [plainArray(older.map((event) => event.streamId)), plainArray(older.map((event) => event.version))],
    });
    const derived = new Map(rows.map((row) => [`${row.stream_id} ${row.version}`, row]));
    return events.map((event) => {
      const row = event.status === null ? derived.get(`${event.streamId} ${event.version}`) : undefined;
      return row === undefined ? event : { ...event, status: row.status, traceparent: row.traceparent };
    });
  }
}
