import { Inject, Injectable } from '@nestjs/common';
import type { RegistryMessage } from '@heddle/contracts-messages';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage } from '@heddle/platform-message-bus';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';

interface StreamRow {
  readonly stream_id: string;
  readonly publisher: string;
  readonly node_id: string;
  readonly node_version: string;
}

/** What the streams $1 are about. It never changes, so every copy of a message says the same. */
const streamsSql = `
select s.stream_id, coalesce(p.publisher_id, '') as publisher, coalesce(own.node_id, whole.node_id, '') as node_id,
  coalesce(v.version, '') as node_version
from unnest($1::uuid[]) as s (stream_id)
left join registry.publisher p on p.stream_id = s.stream_id
left join registry.node whole on whole.stream_id = s.stream_id
left join registry.version v on v.version_id = s.stream_id
left join registry.node own on own.node_key = v.node_key`;

/** Events of the log as messages. No payload is read, so an event of a newer build has its message, too. */
@Injectable()
export class RegistryMessages {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  async of(events: readonly SequencedEvent[]): Promise<readonly BusMessage<RegistryMessage>[]> {
    const ids = [...new Set(events.map(({ streamId }) => streamId))];
    const { rows } = await this.pool.query<StreamRow>({
      name: 'registry.relayed_streams',
      text: streamsSql,
      values: [ids],
    });
    const streams = new Map(rows.map((row) => [row.stream_id, row]));
    return events.map((event) => messageOf(event, streams.get(event.streamId)!));
  }
}

function messageOf(
  { eventId, streamId, seq, type, version, recordedAt }: SequencedEvent,
  { publisher, node_id: nodeId, node_version: nodeVersion }: StreamRow,
): BusMessage<RegistryMessage> {
  const payload = { eventId, seq: Number(seq), type, version, publisher, nodeId, nodeVersion, recordedAt };
  return { key: streamId, id: eventId, type, payload, headers: { seq: seq.toString() } };
}
