import { createHash } from 'node:crypto';
import type pg from 'pg';
import { readFrom } from '../read-events/read-events.js';
import type { SequencedEvent, StoredEvent } from '../read-events/stored-event.js';

/** What is wrong first: the sequence number where it shows. */
export interface ChainFault {
  readonly seq: bigint;
  readonly fault: 'gap' | 'hash' | 'version_order';
  readonly message: string;
}

export interface ChainReport {
  /** Events that were checked. */
  readonly events: bigint;
  readonly fault: ChainFault | undefined;
}

const FIRST = Buffer.alloc(32);
const NO_CAUSE = '00000000-0000-0000-0000-000000000000';
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const PAGE = 1_000;

/**
 * Recomputes the chain from the first event on, independently of the server's own hashing: dense sequence, every hash, and every event
 * behind its predecessor in the stream. Reads in pages and keeps nothing, so a log of any length can be checked.
 */
export async function verifyChain(pool: pg.Pool | pg.ClientBase, schema: string): Promise<ChainReport> {
  let chain: Buffer = FIRST;
  let seq = 0n;
  for (;;) {
    // Asked before the page, so that a log which grows meanwhile lacks nothing.
    const last = await lastSeq(pool, schema);
    const page = await readFrom(pool, schema, seq, PAGE);
    const start = seq;
    for (const event of page) {
      const fault = faultOf(event, seq, chain);
      if (fault) return { events: seq, fault: { seq: seq + 1n, ...fault } };
      chain = event.chain;
      seq = event.seq;
    }
    const early = await pool.query<{ seq: string }>(earlyEventSql(schema), [String(start), String(seq)]);
    const found = early.rows[0];
    if (found) {
      const message = 'it stands before its predecessor in the stream';
      return { events: start, fault: { seq: BigInt(found.seq), fault: 'version_order', message } };
    }
    if (page.length === PAGE) continue;
    if (last <= seq) return { events: seq, fault: undefined };
    // A number without an event behind it: somebody removed the event.
    const message = `its event is missing; the log goes to ${last}`;
    return { events: seq, fault: { seq: seq + 1n, fault: 'gap', message } };
  }
}

async function lastSeq(pool: pg.Pool | pg.ClientBase, schema: string): Promise<bigint> {
  const { rows } = await pool.query<{ last: string | null }>(`select max(seq) as last from ${schema}.event_seq`);
  return BigInt(rows[0]?.last ?? 0);
}

function earlyEventSql(schema: string): string {
  return `
    select s.seq from ${schema}.event_seq s
      join ${schema}.event e on e.txid = s.txid and e.position = s.position
      left join ${schema}.event p on p.stream_id = e.stream_id and p.version = e.version - 1
      left join ${schema}.event_seq before on before.position = p.position
     where s.seq > $1 and s.seq <= $2 and e.version > 1 and (before.seq is null or before.seq > s.seq)
     order by s.seq limit 1`;
}

function faultOf(event: SequencedEvent, before: bigint, chain: Buffer): Omit<ChainFault, 'seq'> | undefined {
  if (event.seq !== before + 1n) return { fault: 'gap', message: `${event.seq} follows ${before}` };
  const expected = createHash('sha256').update(chain).update(chainLink(event)).digest();
  return expected.equals(event.chain)
    ? undefined
    : { fault: 'hash', message: `event ${event.eventId} is not what was sequenced` };
}

/** The twin of the SQL expression `EVENT_LINK`: chain(n) = sha256(chain(n - 1) || link(n)), chain(0) = 32 zero bytes. */
export function chainLink(event: StoredEvent): Buffer {
  const numbers = Buffer.alloc(6 + 32 + 8 + 8 + 1 + 8 + 16);
  let at = numbers.writeInt32BE(event.version, 0);
  at = numbers.writeInt16BE(event.schemaVersion, at);
  at += uuid(event.accountId).copy(numbers, at);
  at += uuid(event.deploymentId).copy(numbers, at);
  at = numbers.writeBigInt64BE(BigInt(event.fence ?? -1), at);
  at = numbers.writeBigInt64BE(BigInt(event.workerSeq ?? -1), at);
  at = numbers.writeUInt8(event.isTerminal ? 1 : 0, at);
  at = numbers.writeBigInt64BE(BigInt(Date.parse(event.recordedAt) - POSTGRES_EPOCH_MS) * 1_000n, at);
  uuid(event.causationId ?? NO_CAUSE).copy(numbers, at);
  return Buffer.concat([
    uuid(event.eventId),
    uuid(event.streamId),
    numbers,
    Buffer.from(`${event.type}\0${event.correlationId ?? ''}\0`),
    createHash('sha256').update(event.data).digest(),
  ]);
}

function uuid(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}
