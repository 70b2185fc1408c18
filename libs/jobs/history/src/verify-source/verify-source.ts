import { FaultList } from '@heddle/platform-event-log';
import type { LogHead, LogReport } from '@heddle/platform-event-log';
import type { HistorySource } from '../open-source/history-source.js';
import { SourceChain } from './source-chain.js';
import { SourceFold } from './source-fold.js';

export interface VerifySourceOptions {
  /** False skips the fold: chain, density and order of versions alone. */
  readonly fold?: boolean;
  /** The log must have this chain at this seq. */
  readonly head?: LogHead | null;
  /** Where the source begins: a log that has aged begins behind a checkpoint. */
  readonly start?: LogHead;
  /** Collects the faults, for a caller that checks more. */
  readonly faults?: FaultList;
  /** The source keeps the digests of purged payloads. Default: it does not. */
  readonly hasDigests?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly events: bigint }) => void;
}

export interface SourceReport extends LogReport {
  readonly jobs: number;
  readonly outputs: number;
  /** Jobs of which a payload was purged, left out or is unreadable: checked by digest, order and type alone. */
  readonly unfolded: number;
}

const BEGINNING: LogHead = { seq: 0n, chain: Buffer.alloc(32) };

/**
 * Checks a log outside a database as `verifyLog` and the fold check one inside: density, every link, the order of
 * versions, decodability and the fold. It goes on behind a fault, so that later faults are found too.
 */
export async function verifySource(source: HistorySource, options: VerifySourceOptions = {}): Promise<SourceReport> {
  const { fold = true, head = null, start = BEGINNING, faults = new FaultList(), hasDigests = false } = options;
  const { signal, onProgress } = options;
  const chain = new SourceChain(start, head, faults, hasDigests);
  const jobs = new SourceFold({ decodes: fold, beginsLate: start.seq > 0n }, faults);
  let events = 0n;
  for await (const batch of source.events(start.seq, signal)) {
    for (const event of batch) {
      chain.take(event);
      jobs.take(event);
    }
    events += BigInt(batch.length);
    onProgress?.({ events });
  }
  chain.end();
  const counts = fold ? jobs.end() : { jobs: 0, outputs: 0, unfolded: 0 };
  return {
    events,
    firstSeq: start.seq + 1n,
    lastSeq: chain.seq,
    chain: chain.chain,
    ...counts,
    faults: faults.found,
  };
}
