import type { EngineObserver, EngineRun } from '@heddle/engine-port';

/**
 * Where a run of the engine's own protocol reads and writes, absolute paths of existing folders. With them
 * - a file name in a graph is looked up below `input` (` [output]` and ` [temp]` at its end name the other two); a name
 *   that leads out of its folder is an error of the node,
 * - result files are written below `output` and `temp` under the engine's counters (one more than the highest number that
 *   lies there), and `EngineObserver.output` is not called,
 * - a cached node writes nothing and reports the names of its earlier files.
 */
export interface EngineFolders {
  readonly input: string;
  readonly output: string;
  readonly temp: string;
}

/** What the engine's own protocol knows of a run beyond the port. */
export interface BuiltinRun extends EngineRun {
  /** Output nodes to run (`partial_execution_targets`, or those that validation let through); absent: all. */
  readonly targets?: readonly string[];
  /** `extra_data.extra_pnginfo` as JSON text (an object): each of its keys becomes a text chunk of saved pictures. */
  readonly extraPngInfo?: string;
}

/**
 * The `output` member of the engine's `executed` message and of its history, e.g.
 * `{"images": [{"filename": "a_00001_.png", "subfolder": "", "type": "output"}], "animated": [true]}` or
 * `{"text": ["foo-bar"]}`. Keys: `images`, `animated`, `text`, `audio`, `latents`, ...
 */
export type UiOutput = Readonly<Record<string, readonly UiItem[]>>;

export type UiItem = UiFile | string | number | boolean | null | { readonly [key: string]: unknown };

export interface UiFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: 'output' | 'temp' | 'input';
}

/** One of `count` pictures of a node that go to clients alone. */
export interface SentPicture {
  readonly contentType: 'image/png';
  readonly bytes: Uint8Array;
  readonly index: number;
  readonly count: number;
}

/** A node's exception in the words of `execution_error`. */
export interface RaisedError {
  readonly nodeId: string;
  readonly classType: string;
  /** The Python exception's name as the engine writes it, e.g. `IndexError`. */
  readonly type: string;
  /** Ends with a line break. */
  readonly message: string;
  /** Lines, each with its line break; without machine paths. */
  readonly traceback: readonly string[];
  /** Per input the values it had: plain ones as they were, all others as text. */
  readonly currentInputs: Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
  /** Nodes that ended before, in order. */
  readonly executed: readonly string[];
}

/**
 * What the engine's own protocol reports beyond the port; every method is optional. Order within a run: `cached`
 * once, before the first node; `executed` of the cached output nodes that have one; then per node `nodeStarted`,
 * `progressText`, `executed`, `nodeFinished`; `raised` just before the run resolves as failed in a node.
 */
export interface BuiltinObserver extends EngineObserver {
  /** Nodes whose results are reused, in the order of the graph; empty when none is. */
  cached?(nodeIds: readonly string[]): void;
  /** A node has something to show. */
  executed?(nodeId: string, ui: UiOutput): void;
  /** The text of a binary frame of kind 3. */
  progressText?(nodeId: string, text: string): void;
  /** A node sent a picture to clients alone; `preview` and `nodeProgress` are not called for it. */
  sentPicture?(picture: SentPicture & { readonly nodeId: string }): void;
  raised?(error: RaisedError): void;
}
