import type { JobStatus } from '@heddle/testing-api';
import { History } from '../history.ts';

/** One look at a job by GET. */
export interface Seen {
  /** `performance.now()` of the request and of its answer. */
  readonly begunAt: number;
  readonly endedAt: number;
  readonly jobId: string;
  readonly status: JobStatus;
  readonly completedAt: string | null;
  readonly outputs: readonly string[];
  /** The progress as it was answered. */
  readonly progress: string;
}

export interface WatchedStream {
  readonly jobId: string;
  /** The job's end had been seen before it was opened. */
  readonly openedAfterEnd: boolean;
  /** In the order in which they came: the status, or the id of an output. */
  readonly frames: readonly { readonly event: string; readonly told: string }[];
  /** The server ended it; null where the connection broke or the watcher gave up before a terminal frame. */
  readonly endedByServer: boolean | null;
}

/** A GET of any kind, for what readers noticed of a fault. */
export interface Read {
  /** `performance.now()` */
  readonly begunAt: number;
  readonly endedAt: number;
  readonly target: string;
  /** null: no answer. */
  readonly status: number | null;
}

/** A second submission under a key that was acknowledged. */
export interface Duplicate {
  readonly key: string;
  readonly status: number;
}

/** Bytes read of an asset that the client had a right to. */
export interface Download {
  readonly assetId: string;
  readonly hash: string;
  readonly status: number;
  readonly hashRead: string | null;
  readonly why: 'output' | 'upload' | 'mint';
}

/** When a fault was at work, `performance.now()`; `healedAt` is when clients were served again. */
export interface Strike {
  readonly fault: string;
  readonly family: string;
  readonly alone: boolean;
  readonly begunAt: number;
  healedAt: number;
}

const MOST = 200_000;

/** What the clients of a campaign saw, beyond what each was told about its own requests. */
export class Journal extends History {
  readonly seen: Seen[] = [];
  readonly streams: WatchedStream[] = [];
  readonly reads: Read[] = [];
  readonly duplicates: Duplicate[] = [];
  readonly downloads: Download[] = [];
  /** Hashes of uploads that were refused because of their `expected_hash`. */
  readonly mismatched: string[] = [];
  readonly strikes: Strike[] = [];
  /** Minted from a hash with 201 or 200. */
  readonly mints: { readonly assetId: string; readonly hash: string }[] = [];

  note<Kind extends 'seen' | 'streams' | 'reads' | 'duplicates' | 'downloads' | 'mismatched' | 'mints' | 'strikes'>(
    kind: Kind,
    entry: Journal[Kind][number],
  ): void {
    const entries = this[kind] as Journal[Kind][number][];
    if (entries.length >= MOST) throw new Error(`a journal holds at most ${MOST} ${kind}`);
    entries.push(entry);
  }
}
