import { copyRows } from '@heddle/platform-database';
import type pg from 'pg';
import { namesStreams, rangeSql } from '../read-events/number-range.js';
import { alongIndexes } from './along-indexes.js';
import { ChainWalk, WALK_COLUMNS, type ClaimedChain } from './chain-walk.js';
import { claimedCheckpoints, type ClaimedCheckpoint } from './claimed-checkpoints.js';
import { FaultList, type LogFault } from './log-fault.js';
import { logEnds, type LogEnds } from './log-ends.js';
import { unrecordedPartitions } from './unrecorded-partitions.js';
import { findUnsequenced } from './unsequenced-events.js';

/** A point in the chain that the caller knows from another source. */
export interface LogHead {
  readonly seq: bigint;
  readonly chain: Buffer;
}

export interface VerifyLogOptions {
  /** Collects the faults, for a caller that checks more afterwards. */
  readonly faults?: FaultList;
  /** Folder of the checkpoints outside the database. */
  readonly checkpoints?: string | null;
  /** Public key of the checkpoints; default `key.pub.pem` in their folder. */
  readonly publicKeyFile?: string | null;
  /** Starts at the newest checkpoint of the folder signed with its key instead of at the beginning. */
  readonly afterCheckpoint?: boolean;
  /** The log must have this chain at this seq. */
  readonly head?: LogHead | null;
  /** Called after each statement. */
  readonly onProgress?: (progress: LogProgress) => void;
  /** Stops after the current statement with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface LogProgress {
  readonly events: bigint;
  readonly total: bigint;
}

export interface LogReport {
  /** Checked events, including those of detached partitions. */
  readonly events: bigint;
  /** The first checked number: 1, or the number after the checkpoint where the check began. */
  readonly firstSeq: bigint;
  /** The last number when the check started; 0 for an empty log. */
  readonly lastSeq: bigint;
  /** The chain at `lastSeq`. */
  readonly chain: Buffer;
  readonly faults: readonly LogFault[];
}

/** `afterCheckpoint` was requested, but the folder has no trusted checkpoint. */
export class NoTrustedCheckpointError extends Error {
  override readonly name = 'NoTrustedCheckpointError';
}

/** Numbers per statement: each statement's snapshot holds vacuum back for less than a second. */
const RANGE = 50_000n;

/**
 * Checks the stored log while the service runs, against itself and against what is kept outside it, without using the
 * server's hash functions: dense numbers, every link of the chain, version order, skipped events, partitions, the end
 * known to the cursor and the readers, checkpoints and `head`. Memory and snapshots stay small for any length.
 */
export async function verifyLog(
  database: pg.Pool | pg.ClientBase,
  schema: string,
  options: VerifyLogOptions = {},
): Promise<LogReport> {
  if (!('totalCount' in database)) return await alongIndexes(database, () => verifyWith(database, schema, options));
  const client = await database.connect();
  try {
    return await alongIndexes(client, () => verifyWith(client, schema, options));
  } finally {
    client.release();
  }
}

async function verifyWith(client: pg.ClientBase, schema: string, options: VerifyLogOptions): Promise<LogReport> {
  const { faults = new FaultList(), signal } = options;
  for (;;) {
    const found = new FaultList();
    const { report, ends } = await verifyOnce(client, schema, options, found);
    // Numbers removed meanwhile, because a checkpoint covers them, look like a gap.
    signal?.throwIfAborted();
    const hasAged = found.count('gap') > 0 && (await logEnds(client, schema)).first !== ends.first;
    if (hasAged) continue;
    faults.addAll(found);
    return { ...report, faults: faults.found };
  }
}

async function verifyOnce(
  client: pg.ClientBase,
  schema: string,
  options: VerifyLogOptions,
  faults: FaultList,
): Promise<{ readonly report: Omit<LogReport, 'faults'>; readonly ends: LogEnds }> {
  const { checkpoints: folder = null, publicKeyFile = null, signal } = options;
  for (const trouble of await unrecordedPartitions(client, schema)) faults.add('partition', trouble);
  // Read before the ends: a checkpoint written in between would look like a contradiction.
  const claims = await claimedCheckpoints(client, schema, { folder, publicKeyFile }, faults);
  const ends = await logEnds(client, schema);
  checkEnds(ends, faults);
  const start = startOf(ends, claims, options.afterCheckpoint ?? false, faults);
  const walk = new ChainWalk(schema, start, claimsOn(ends, start.seq, claims, options.head ?? null, faults), faults);
  const total = ends.last - start.seq;
  for (let seq = start.seq; seq < ends.last;) {
    signal?.throwIfAborted();
    const to = seq + RANGE < ends.last ? seq + RANGE : ends.last;
    const range = { after: seq, to };
    const text = rangeSql(schema, WALK_COLUMNS, range, await namesStreams(client, schema, range));
    await copyRows(client, text, (row) => walk.take(row));
    await walk.order.settle(client);
    seq = to;
    options.onProgress?.({ events: seq - start.seq, total });
  }
  walk.end(ends.last);
  const behind = { after: options.afterCheckpoint === true ? start.seq : 0n, cursor: ends.cursor };
  await findUnsequenced(client, schema, behind, faults, () => signal?.throwIfAborted());
  const report = { events: total, firstSeq: start.seq + 1n, lastSeq: ends.last, chain: walk.chain };
  return { report, ends };
}

function checkEnds({ first, last, stored, cursor, relayed }: LogEnds, faults: FaultList): void {
  if (cursor.seq !== last)
    faults.add('head', `the log ends at seq ${last}, the sequencer has numbered up to ${cursor.seq}`, { seq: last });
  else if (stored !== null && !stored.equals(cursor.chain))
    faults.add('head', `the chain at seq ${last} is not the sequencer's`, { seq: last });
  if (relayed > last)
    faults.add('head', `the log ends at seq ${last}, and a reader has read up to ${relayed}`, { seq: last });
  if (first > last + 1n) faults.add('head', `the log has no numbers up to ${last}`, { seq: last });
}

/** Where the walk begins, and the chain at that point. */
function startOf(
  ends: LogEnds,
  claims: readonly ClaimedCheckpoint[],
  afterCheckpoint: boolean,
  faults: FaultList,
): LogHead {
  const before = ends.first - 1n;
  if (afterCheckpoint) {
    const newest = claims.findLast(({ isTrusted, seq }) => isTrusted && seq >= before && seq <= ends.last);
    if (newest === undefined) throw new NoTrustedCheckpointError('no checkpoint of this log can be trusted');
    return newest;
  }
  if (before === 0n) return { seq: 0n, chain: Buffer.alloc(32) };
  const base = claims.filter(({ seq }) => seq === before).sort((a, b) => Number(b.isTrusted) - Number(a.isTrusted))[0];
  if (base !== undefined) return base;
  // Numbers up to a checkpoint are being removed; some are already gone.
  const next = claims.find(({ seq }) => seq > before);
  if (next !== undefined && next.seq < ends.firstKept) return next;
  if (!ends.hasAged) {
    // Nothing was ever detached, so someone deleted the beginning: the walk reports the gap.
    return { seq: 0n, chain: Buffer.alloc(32) };
  }
  faults.add('checkpoint', `the log begins at seq ${ends.first}, and the checkpoint of seq ${before} is missing`, {
    seq: before,
  });
  return { seq: before, chain: Buffer.alloc(32) };
}

function claimsOn(
  { first, last }: LogEnds,
  start: bigint,
  claims: readonly ClaimedCheckpoint[],
  head: LogHead | null,
  faults: FaultList,
): readonly ClaimedChain[] {
  const onLog: ClaimedChain[] = [];
  for (const { seq, chain, file } of claims) {
    const named = file ?? `the database's checkpoint of seq ${seq}`;
    if (seq > last)
      faults.add('checkpoint', `the log ends at seq ${last}, before ${named}: its end was cut off`, { seq, file });
    const message = `the log has another chain at seq ${seq} than ${named}: what came before was rewritten`;
    onLog.push({ seq, chain, contradicted: () => faults.add('checkpoint', message, { seq, file }) });
  }
  if (head !== null) {
    const { seq, chain } = head;
    const known = claims.find((claim) => claim.seq === seq);
    if (seq > last) faults.add('head', `the log ends at seq ${last}, before the head ${seq}`, { seq });
    else if (seq < first && seq !== start && known === undefined)
      faults.add('head', `the log begins at seq ${first}, so that the head ${seq} cannot be compared`, { seq });
    else if (seq <= start && known !== undefined && !known.chain.equals(chain))
      faults.add('head', `the checkpoint of seq ${seq} has another chain than the head`, { seq });
    const contradicted = (found: Buffer): void =>
      faults.add('head', `the chain at seq ${seq} is ${found.toString('hex')}, not that of the head`, { seq });
    onLog.push({ seq, chain, contradicted });
  }
  return onLog.sort((a, b) => (a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0));
}
