import type { EngineOutcome, EngineOutput } from '@heddle/engine-port';
import type { EngineFolders, RaisedError, UiOutput } from '../process/run-details.js';

/** Messages of the parent to an engine process. One run at a time: the next `run` follows `done`. */
export type ToChild =
  | {
      readonly kind: 'run';
      /** Whose results are reused; empty: those of the only account */
      readonly account: string;
      /** API-format graph as JSON bytes */
      readonly workflow: Uint8Array;
      /** Names in the input folder of this run */
      readonly files: readonly string[];
      /** Private folder for outputs that are too large for a message */
      readonly directory: string;
      /** Folders for files; `null`: files travel with the run. */
      readonly folders: EngineFolders | null;
      /** Output nodes to run; `null`: all */
      readonly targets: readonly string[] | null;
      /** JSON object whose keys become text chunks of pictures */
      readonly extraPngInfo: string | null;
      /** Whether the parent reads the log */
      readonly log: boolean;
    }
  | { readonly kind: 'cancel' }
  /** Answer to a request: a path, a counter, or the acceptance of an output */
  | { readonly kind: 'answer'; readonly request: number; readonly value: string | number | null };

/** Messages of an engine process to its parent, sent as ordered lists */
export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'nodeStarted'; readonly nodeId: string; readonly classType: string }
  | { readonly kind: 'nodeProgress'; readonly nodeId: string; readonly step: number; readonly steps: number }
  | {
      readonly kind: 'nodeFinished';
      readonly nodeId: string;
      readonly classType: string;
      readonly startedAt: string;
      readonly endedAt: string;
      readonly cached: boolean;
    }
  | { readonly kind: 'cached'; readonly nodeIds: readonly string[] }
  | { readonly kind: 'executed'; readonly nodeId: string; readonly ui: UiOutput }
  /** Lines of the log, if the run asked for them */
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'progressText'; readonly nodeId: string; readonly text: string }
  | { readonly kind: 'raised'; readonly error: RaisedError }
  | { readonly kind: 'request'; readonly request: number; readonly ask: Ask }
  /** An output that needs no acceptance; `content`: its bytes */
  | { readonly kind: 'output'; readonly output: SentOutput; readonly content: Uint8Array }
  | { readonly kind: 'done'; readonly outcome: EngineOutcome };

/** Requests of an engine process */
export type Ask =
  /** Local path of an input file */
  | { readonly about: 'file'; readonly name: string }
  /** Delivery of a picture to clients; `content` as below */
  | {
      readonly about: 'picture';
      readonly nodeId: string;
      readonly contentType: 'image/png';
      readonly content: Uint8Array | string;
      readonly index: number;
      readonly count: number;
    }
  /** First of `count` file numbers for this folder and base name */
  | { readonly about: 'counter'; readonly folder: string; readonly base: string; readonly count: number }
  /** Acceptance of an output; `content`: its bytes, or the path of a file in this run's folder */
  | {
      readonly about: 'output';
      readonly output: SentOutput;
      readonly content: Uint8Array | string;
    };

export type SentOutput = Omit<EngineOutput, 'open' | 'sizeBytes'> & { readonly sizeBytes: number };
