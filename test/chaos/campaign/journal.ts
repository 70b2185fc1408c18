import type { JobStatus } from '@heddle/testing-api';
import { History } from '../history.ts';

/** One GET of a job */
export interface Seen {
  /** `performance.now()` of the request and of its answer */
  readonly begunAt: number;
  readonly endedAt: number;
  readonly jobId: string;
  readonly status: JobStatus;
  readonly completedAt: string | null;
  readonly outputs: readonly string[];
  /** Progress in the answer */
  readonly progress: string;
}

export interface WatchedStream {
  readonly jobId: string;
  /** True if the job's end was seen before the stream was opened */
  readonly openedAfterEnd: boolean;
  /** Frames in order of arrival, each with a status or an output id */
  readonly frames: readonly { readonly event: string; readonly value: string }[];
  /** True if the server ended the stream; null if the connection broke or the watcher gave up before a terminal frame. */
  readonly endedByServer: boolean | null;
}

/** Any GET, to see what readers noticed of a fault */
export interface Read {
  /** `performance.now()` */
  readonly begunAt: number;
  readonly endedAt: number;
  readonly target: string;
  /** Null: no answer */
  readonly status: number | null;
}

/** A second submission with an acknowledged key */
export interface Duplicate {
  readonly key: string;
  readonly status: number;
}

/** Bytes that a client read of its asset */
export interface Download {
  readonly assetId: string;
  readonly hash: string;
  readonly status: number;
  readonly hashRead: string | null;
  readonly why: 'output' | 'upload' | 'mint';
}

/** Duration of a fault in `performance.now()`; `healedAt`: when clients were served again. */
export interface Strike {
  readonly fault: string;
  readonly family: string;
  readonly alone: boolean;
  readonly begunAt: number;
  healedAt: number;
}

const MAX_ENTRIES = 200_000;

/** Observations of a campaign's clients, beyond the answers to their own requests */
export class Journal extends History {
  readonly seen: Seen[] = [];
  readonly streams: WatchedStream[] = [];
  readonly reads: Read[] = [];
  readonly duplicates: Duplicate[] = [];
  readonly downloads: Download[] = [];
  /** Hashes of uploads that were refused because of `expected_hash` */
  readonly mismatched: string[] = [];
  readonly strikes: Strike[] = [];
  /** Assets minted from a hash with 201 or 200 */
  readonly mints: { readonly assetId: string; readonly hash: string }[] = [];

  note<Kind extends 'seen' | 'streams' | 'reads' | 'duplicates' | 'downloads' | 'mismatched' | 'mints' | 'strikes'>(
    kind: Kind,
    entry: Journal[Kind][number],
  ): void {
    const entries = this[kind] as Journal[Kind][number][];
    if (entries.length >= MAX_ENTRIES) throw new Error(`a journal holds at most ${MAX_ENTRIES} ${kind}`);
    entries.push(entry);
  }
}
