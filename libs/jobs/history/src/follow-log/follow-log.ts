import { setTimeout as pause } from 'node:timers/promises';
import { readFrom } from '@heddle/platform-event-log';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';

const SCHEMA = 'jobs';
const BATCH = 1_000;
/** A replica gets no notification of a commit, so the log is asked. */
const ASK_EVERY_MS = 250;

/** Each event once, as the log numbers it; `after` null begins at the end of the log as it stands. */
export async function* followLog(
  client: ClientBase,
  after: bigint | null,
  signal: AbortSignal,
): AsyncGenerator<SequencedEvent> {
  let seq = after ?? (await newestSeq(client));
  for (;;) {
    signal.throwIfAborted();
    const batch = await readFrom(client, SCHEMA, seq, BATCH);
    for (const event of batch) {
      signal.throwIfAborted();
      yield event;
      seq = event.seq;
    }
    if (batch.length === 0) await pause(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function newestSeq(client: ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ seq: string }>(`select seq from ${SCHEMA}.seq_cursor`);
  return BigInt(rows[0]?.seq ?? 0);
}
