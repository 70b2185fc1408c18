import { copyRows } from '@heddle/platform-database';
import pg from 'pg';

const RANGE = 100_000n;
const TYPE = 0;
const DATA = 1;

/**
 * Events a second of the least that a reader of the whole log has to do: COPY in binary form by ranges of `seq`, each
 * payload parsed, each type counted.
 */
export async function readLog(url: string, last: bigint): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const byType = new Map<string, number>();
    let events = 0;
    const began = performance.now();
    for (let seq = 0n; seq < last; seq += RANGE)
      events += await copyRows(
        client,
        `select e.type, e.data, e.stream_id, e.version, e.recorded_at, s.chain
           from (select * from jobs.event_seq where seq > ${seq} and seq <= ${seq + RANGE} order by seq) s
           join jobs.event e on e.txid = s.txid and e.position = s.position and e.stream_id = s.stream_id`,
        (row) => {
          JSON.parse(row.text(DATA));
          const type = row.text(TYPE);
          byType.set(type, (byType.get(type) ?? 0) + 1);
        },
      );
    return events / ((performance.now() - began) / 1000);
  } finally {
    await client.end();
  }
}
