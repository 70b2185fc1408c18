import { hash } from 'node:crypto';
import { linkOfEvent } from '@heddle/platform-event-log';
import type { FaultList, LogHead, NumberedEvent } from '@heddle/platform-event-log';

/** Recomputes the chain of events that come in order, and reports gaps, changed events and a contradicted head. */
export class SourceChain {
  readonly #start: bigint;
  #seq: bigint;
  #chain: Buffer;

  constructor(
    start: LogHead,
    private readonly head: LogHead | null,
    private readonly faults: FaultList,
    /** Events of an export have a payload or its digest; a line of a purged payload has neither. */
    private readonly hasDigests: boolean,
  ) {
    this.#seq = start.seq;
    this.#start = start.seq;
    this.#chain = start.chain;
    this.#compareHead();
  }

  get seq(): bigint {
    return this.#seq;
  }

  get chain(): Buffer {
    return this.#chain;
  }

  take(event: NumberedEvent): void {
    const { seq, chain } = event;
    if (seq === null) return;
    const at = { seq, eventId: event.eventId, streamId: event.streamId, version: event.version };
    const wanted = this.#seq + 1n;
    if (seq < wanted) {
      this.faults.add('gap', `seq ${wanted} was expected: the event is there twice or out of order`, at);
      return;
    }
    if (seq > wanted)
      this.faults.add(
        'gap',
        wanted === seq - 1n ? 'its event is missing' : `the events of ${wanted} to ${seq - 1n} are missing`,
        { seq: wanted },
      );
    else this.#compare(event, at);
    this.#seq = seq;
    // After a fault the stored value is taken as given, so that the next changed event is found too.
    if (chain !== null) this.#chain = chain;
    this.#compareHead();
  }

  end(): void {
    const { head } = this;
    if (head !== null && head.seq < this.#start)
      this.faults.add('head', `the log begins behind the head ${head.seq}, which cannot be compared`, {
        seq: head.seq,
      });
    if (head !== null && head.seq > this.#seq)
      this.faults.add('head', `the log ends at seq ${this.#seq}, before the head ${head.seq}`, { seq: head.seq });
  }

  #compare(event: NumberedEvent, at: object): void {
    if (event.chain === null) return this.faults.add('hash', 'the event has a number and no chain', at);
    const { data, dataDigest } = event;
    if (data !== null && dataDigest !== undefined && !hash('sha256', data, 'buffer').equals(dataDigest))
      return this.faults.add('hash', 'the payload does not have the digest that stands beside it', at);
    const link = linkIn(event);
    if (link === 'unwritable') return this.faults.add('hash', 'a field has a value that no event can have', at);
    if (link === null && this.hasDigests)
      return this.faults.add('hash', 'the event has neither its payload nor the digest of it', at);
    // The chain can only be taken as given.
    if (link === null) return;
    const found = hash('sha256', Buffer.concat([this.#chain, link]), 'buffer');
    if (found.equals(event.chain)) return;
    this.faults.add(
      'hash',
      `the event was changed after it was numbered: its chain is ${event.chain.toString('hex')}, expected was ${found.toString('hex')}`,
      at,
    );
  }

  #compareHead(): void {
    const { head } = this;
    if (head === null || head.seq !== this.#seq || head.chain.equals(this.#chain)) return;
    const message = `the chain at seq ${head.seq} is ${this.#chain.toString('hex')}, not that of the head`;
    this.faults.add('head', message, { seq: head.seq });
  }
}

/** The bytes that the chain covers; `unwritable`: a field is of no event that was ever stored. */
function linkIn(event: NumberedEvent): Buffer | null | 'unwritable' {
  try {
    return linkOfEvent(event);
  } catch {
    return 'unwritable';
  }
}
