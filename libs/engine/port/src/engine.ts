import type { Readable } from 'node:stream';

/**
 * What a worker needs of an engine: something that runs one API-format graph and tells what happens on the way.
 * Implementations: the built-in engine (child processes) and the driver of a real engine. Both pass `describeEngine`.
 */
export interface Engine {
  /** Short name for `JobLeased.environment` and metrics, e.g. `builtin/0.1.0`. */
  readonly environment: string;
  /** The engine's `/object_info` document as JSON text, for the validation catalogue. */
  objectInfo(): Promise<string>;
  /**
   * Runs one graph to its end and resolves with how it ended; it rejects only on a bug. May be called concurrently up
   * to the engine's own capacity. Aborting `signal` interrupts the run: it then resolves `{ kind: 'interrupted' }`
   * unless the graph ended first. No observer call happens after it resolved.
   */
  run(request: EngineRun, observer: EngineObserver, signal: AbortSignal): Promise<EngineOutcome>;
  /** Resolves once the engine can take a run, or the signal aborts; engines without it always can. */
  whenReady?(signal: AbortSignal): Promise<void>;
  /** Stops everything that the engine started. */
  close(): Promise<void>;
}

export interface EngineRun {
  /** Lower-case UUID, unique per attempt. */
  readonly runId: string;
  /** API-format graph as JSON bytes; asset references are already replaced by the names in `files`. */
  readonly workflow: Uint8Array;
  /** Input files the graph names; the engine sees them as files of its input folder. */
  readonly files: readonly EngineFile[];
  /** Partner credentials, forwarded and never stored; absent when the job has none. */
  readonly credentials?: EngineCredentials;
}

export interface EngineFile {
  /** Relative, `/`-separated, safe; content-derived, e.g. `heddle/<64 hex>.png`. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Where the bytes lie on this machine, if they do; an engine that can reads them there instead of opening. */
  readonly localPath?: string;
  open(): Promise<Readable>;
}

export interface EngineCredentials {
  readonly apiKey?: { reveal(): string };
  readonly authToken?: { reveal(): string };
}

/** Calls arrive in the order in which things happened; outputs may be behind the rest, since each waits for its reader. */
export interface EngineObserver {
  /** A graph node began to run. */
  nodeStarted(node: { nodeId: string; classType: string }): void;
  /** A running node's own progress: `step` of `steps`. */
  nodeProgress(progress: { nodeId: string; step: number; steps: number }): void;
  /** A graph node ended well; `cached` when its result was reused and it did not run. Instants are ISO 8601 UTC. */
  nodeFinished(node: { nodeId: string; classType: string; startedAt: string; endedAt: string; cached: boolean }): void;
  /** A picture of work in progress; only the newest counts. */
  preview(preview: { nodeId: string; contentType: string; bytes: Uint8Array }): void;
  /** The run waits for an engine that does not answer; `false` once it answers again. Engines that cannot go away leave it out. */
  engineAway?(away: boolean): void;
  /** An output appeared. The engine waits for the promise before it offers the next one (back-pressure). */
  output(output: EngineOutput): Promise<void>;
}

export interface EngineOutput {
  readonly nodeId: string;
  /** Stable within a job, the same in every attempt: `<node id>/<slot name>/<index>`. */
  readonly key: string;
  /** The engine's file name without its folder, or `<node>_<n>.txt` for a string value. */
  readonly name: string;
  readonly type: OutputType;
  /** Media type, e.g. `image/png`. */
  readonly contentType: string;
  readonly sizeBytes: number | null;
  /** The bytes from their beginning; may be called until the observer's promise settled. */
  open(): Promise<Readable>;
}

export type OutputType = 'image' | 'video' | 'audio' | 'text' | 'file' | 'latent';

export type EngineOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'failed';
      readonly code: 'node_execution_error' | 'out_of_memory' | 'engine_error';
      /** The engine's own words (`exception_message`), its final line break included. */
      readonly message: string;
      readonly nodeId: string | null;
      readonly classType: string | null;
      /** Without machine paths; null when there is none. */
      readonly traceback: string | null;
    }
  /** The engine died or vanished: the attempt is lost and may be tried again. `beforeStart`: it never got the graph. */
  | { readonly kind: 'lost'; readonly reason: string; readonly beforeStart?: true };
