import type { Readable } from 'node:stream';

/**
 * A worker's view of an engine: it runs one API-format graph and reports its progress. Implementations: the built-in
 * engine (child processes) and the driver of a real engine. Both pass `libs/testing/engine/src/engine.suite.ts`.
 */
export interface Engine {
  /** Short name for `JobLeased.environment` and metrics, e.g. `builtin/0.1.0`. */
  readonly environment: string;
  /** The engine's `/object_info` document as JSON text, for the validation catalogue. */
  objectInfo(): Promise<string>;
  /**
   * Runs one graph and resolves with its outcome; rejects only on a bug. May be called concurrently up to the engine's
   * capacity. Aborting `signal` interrupts the run: it then resolves with `{ kind: 'interrupted' }` unless the graph
   * ended first. The observer is not called after it resolves.
   */
  run(request: EngineRun, observer: EngineObserver, signal: AbortSignal): Promise<EngineOutcome>;
  /** Resolves once the engine accepts a run, or the signal aborts; absent if the engine always does. */
  whenReady?(signal: AbortSignal): Promise<void>;
  /** Stops everything that the engine started. */
  close(): Promise<void>;
}

export interface EngineRun {
  /** Lower-case UUID, unique per attempt. */
  readonly runId: string;
  /**
   * Whose run it is: results of a run are reused by runs of the same account only. Absent: every run is of the one
   * account that there is.
   */
  readonly account?: string;
  /** API-format graph as JSON bytes, with asset references replaced by the names in `files`. */
  readonly workflow: Uint8Array;
  /** Input files named in the graph; the engine sees them in its input folder. */
  readonly files: readonly EngineFile[];
  /** Partner credentials, forwarded and never stored; absent if the job has none. */
  readonly credentials?: EngineCredentials;
}

export interface EngineFile {
  /** Relative, `/`-separated, safe; derived from the content, e.g. `heddle/<64 hex>.png`. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Path on this machine, if there is one; an engine may read it instead of calling `open`. */
  readonly localPath?: string;
  open(): Promise<Readable>;
}

export interface EngineCredentials {
  readonly apiKey?: { reveal(): string };
  readonly authToken?: { reveal(): string };
}

/** Calls follow the order of events; outputs may lag, because each waits for its reader. */
export interface EngineObserver {
  /** A graph node started. */
  nodeStarted(node: { nodeId: string; classType: string }): void;
  /** Progress within a running node: `step` of `steps`. */
  nodeProgress(progress: { nodeId: string; step: number; steps: number }): void;
  /** A graph node succeeded; `cached` if its result was reused and it did not run. Times are ISO 8601 UTC. */
  nodeFinished(node: { nodeId: string; classType: string; startedAt: string; endedAt: string; cached: boolean }): void;
  /** A preview image; only the newest counts. */
  preview(preview: { nodeId: string; contentType: string; bytes: Uint8Array }): void;
  /**
   * The run waits for an engine that does not answer; `false` once it answers again. Engines that cannot go away leave
   * it out.
   */
  engineAway?(away: boolean): void;
  /**
   * Text that the engine wrote to its own log, with its line breaks and without machine paths. Absent: it is not kept,
   * and the engine does not collect it.
   */
  log?(text: string): void;
  /** An output is available. The engine waits for the promise before the next output (back-pressure). */
  output(output: EngineOutput): Promise<void>;
}

export interface EngineOutput {
  readonly nodeId: string;
  /** Stable across a job's attempts: `<node id>/<slot name>/<index>`. */
  readonly key: string;
  /** The engine's file name without its folder, or `<node>_<n>.txt` for a string value. */
  readonly name: string;
  readonly type: EngineOutputType;
  /** Media type, e.g. `image/png`. */
  readonly contentType: string;
  readonly sizeBytes: number | null;
  /** Streams the bytes from the beginning; may be called until the observer's promise settles. */
  open(): Promise<Readable>;
}

export type EngineOutputType = 'image' | 'video' | 'audio' | 'text' | 'file' | 'latent';

export type EngineOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'failed';
      readonly code: 'node_execution_error' | 'out_of_memory' | 'engine_error';
      /** The engine's text (`exception_message`), including its final line break. */
      readonly message: string;
      readonly nodeId: string | null;
      readonly classType: string | null;
      /** Without machine paths; null if there is none. */
      readonly traceback: string | null;
    }
  /**
   * The engine died or vanished: the attempt is lost and may be retried. `beforeStart`: it never received the graph.
   */
  | { readonly kind: 'lost'; readonly reason: string; readonly beforeStart?: true };
