import type { EngineOutcome, EngineOutput } from '@heddle/engine-port';
import type { EngineFolders, RaisedError, UiOutput } from '../process/run-details.js';

/** What the parent tells an engine process. One run at a time; a process is told of the next one after `done`. */
export type ToChild =
  | {
      readonly kind: 'run';
      /** API-format graph as JSON bytes. */
      readonly workflow: Uint8Array;
      /** Names in the input folder of this run. */
      readonly files: readonly string[];
      /** Private folder for outputs too large for a message. */
      readonly directory: string;
      /** Where files are read and written; `null`: they travel with the run. */
      readonly folders: EngineFolders | null;
      /** Output nodes to run, `null` for all. */
      readonly targets: readonly string[] | null;
      /** JSON text of an object whose keys become text chunks of pictures. */
      readonly extraPngInfo: string | null;
    }
  | { readonly kind: 'cancel' }
  /** The answer to the request of this number: a path, a counter, or that an output was taken. */
  | { readonly kind: 'answer'; readonly request: number; readonly value: string | number | null };

/** What an engine process tells its parent; several together as a list, in their order. */
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
  | { readonly kind: 'progressText'; readonly nodeId: string; readonly text: string }
  | { readonly kind: 'raised'; readonly error: RaisedError }
  | { readonly kind: 'request'; readonly request: number; readonly ask: Ask }
  /** An output whose acceptance is not waited for; `content` is its bytes. */
  | { readonly kind: 'output'; readonly output: SentOutput; readonly content: Uint8Array }
  | { readonly kind: 'done'; readonly outcome: EngineOutcome };

/** What an engine process waits for. */
export type Ask =
  /** Local path of an input file. */
  | { readonly about: 'file'; readonly name: string }
  /** Delivery of a picture that clients are sent as it is; `content` as below. */
  | {
      readonly about: 'picture';
      readonly nodeId: string;
      readonly contentType: 'image/png';
      readonly content: Uint8Array | string;
      readonly index: number;
      readonly count: number;
    }
  /** First of `count` numbers for files of this folder and base name. */
  | { readonly about: 'counter'; readonly folder: string; readonly base: string; readonly count: number }
  /** Acceptance of an output; `content` is its bytes or the path of a file of this run's folder. */
  | {
      readonly about: 'output';
      readonly output: SentOutput;
      readonly content: Uint8Array | string;
    };

export type SentOutput = Omit<EngineOutput, 'open' | 'sizeBytes'> & { readonly sizeBytes: number };
