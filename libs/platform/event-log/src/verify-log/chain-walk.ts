import type { BinaryRow } from '@heddle/platform-database';
import type { FaultList } from './log-fault.js';
import { DATA_AT, DIGEST_AT, DIGEST_BYTES, digestInto, LINK_COLUMNS, LinkBytes } from './link-bytes.js';
import { VersionOrder } from './version-order.js';

const SEQ = 0;
const CHAIN = 1;
const LINK = 2;
/** Index of the event's first column in the row. */
const EVENT = 3;
const EVENT_ID = EVENT;
const STREAM_ID = EVENT + 1;
const VERSION = EVENT + 2;
const IS_TERMINAL = EVENT + 8;

/** What a walk takes of each number `s` and its event `e`. */
export const WALK_COLUMNS = `s.seq, s.chain, s.link, ${LINK_COLUMNS}`;

/** A chain value for a seq that comes from outside the walk. */
export interface ClaimedChain {
  readonly seq: bigint;
  readonly chain: Buffer;
  /** Records a fault if the log has another chain at this seq. */
  contradicted(found: Buffer): void;
}

/**
 * Recomputes the chain from a known point: dense numbers, every link, every event after its predecessor. After a fault
 * the walk continues from the stored chain, so that later faults are found too, each at its own number.
 */
export class ChainWalk {
  readonly order: VersionOrder;
  readonly #link = new LinkBytes();
  readonly #chain = Buffer.alloc(DIGEST_BYTES);
  readonly #found = Buffer.alloc(DIGEST_BYTES);
  /** A number: a bigint for each event would cost as much as a hash. */
  #seq: number;
  #missingFrom: number | undefined;
  #nextClaim = 0;

  constructor(
    schema: string,
    start: { readonly seq: bigint; readonly chain: Buffer },
    private readonly claims: readonly ClaimedChain[],
    private readonly faults: FaultList,
  ) {
    this.#seq = Number(start.seq);
    start.chain.copy(this.#chain);
    this.order = new VersionOrder(schema, { streamId: STREAM_ID, version: VERSION, isTerminal: IS_TERMINAL }, faults);
    while ((claims[this.#nextClaim]?.seq ?? start.seq + 1n) <= start.seq) this.#nextClaim += 1;
  }

  get chain(): Buffer {
    return Buffer.from(this.#chain);
  }

  take(row: BinaryRow): void {
    const seq = row.integer(SEQ);
    const hasEvent = !row.isNull(EVENT_ID);
    const isMissing = !hasEvent && row.isNull(LINK);
    // After a gap there is no previous chain to compute from.
    const isNext = seq === this.#seq + 1;
    const isComparable = isNext && !isMissing;
    if (!isNext) this.#missing(this.#seq + 1);
    if (isMissing) this.#missing(seq);
    else this.#endMissing(seq - 1);
    if (isComparable) this.#compare(seq, row, hasEvent);
    if (hasEvent) this.order.take(seq, row);
    row.copy(CHAIN, this.#chain, 0);
    this.#seq = seq;
    this.#checkClaims();
  }

  /** The log must reach `last`. */
  end(last: bigint): void {
    if (this.#seq < last) this.#missing(this.#seq + 1);
    this.#endMissing(Number(last));
  }

  #compare(seq: number, row: BinaryRow, hasEvent: boolean): void {
    const bytes = hasEvent ? this.#link.of(this.#chain, row, EVENT) : Buffer.concat([this.#chain, row.bytes(LINK)]);
    const payloads = hasEvent ? Number(!row.isNull(EVENT + DATA_AT)) + Number(!row.isNull(EVENT + DIGEST_AT)) : 1;
    digestInto(this.#found, 0, bytes);
    if (payloads === 1 && row.equals(CHAIN, this.#found)) return;
    const at = hasEvent
      ? { seq: BigInt(seq), eventId: row.uuid(EVENT_ID), streamId: row.uuid(STREAM_ID), version: row.int32(VERSION) }
      : { seq: BigInt(seq) };
    if (payloads === 1)
      this.faults.add('hash', 'the event was changed after it was numbered: its hash does not match the chain', at);
    else
      this.faults.add(
        'hash',
        `the event has ${payloads === 0 ? 'neither payload nor digest' : 'both a payload and a digest'}`,
        at,
      );
  }

  #missing(from: number): void {
    this.#missingFrom ??= from;
  }

  /** One fault per gap, however long it is. */
  #endMissing(to: number): void {
    const from = this.#missingFrom;
    if (from === undefined) return;
    this.#missingFrom = undefined;
    this.faults.add('gap', from === to ? 'its event is missing' : `the events of ${from} to ${to} are missing`, {
      seq: BigInt(from),
    });
  }

  #checkClaims(): void {
    for (let claim = this.claims[this.#nextClaim]; claim !== undefined && claim.seq <= this.#seq;) {
      if (claim.seq === BigInt(this.#seq) && !claim.chain.equals(this.#chain)) claim.contradicted(this.chain);
      claim = this.claims[++this.#nextClaim];
    }
  }
}
