import type { SentPicture, UiItem } from '../process/run-details.js';
import type { Inputs } from '../values/inputs.js';
import type { Value } from '../values/value.js';

/** What a node class is to the executor: the catalogue holds its declared inputs and outputs. */
export interface NodeImplementation {
  /** One value per declared output slot; a slot marked `output_is_list` holds a list. */
  run(inputs: Inputs, context: NodeContext): readonly Value[] | Promise<readonly Value[]>;
  /** Lazy inputs that this call needs, given those already known; absent when the class has no lazy inputs. */
  neededLazyInputs?(inputs: Inputs): readonly string[];
  /** Runs again in every graph, whatever its inputs. */
  readonly neverCached?: true;
}

/** What a running node may do besides computing. */
export interface NodeContext {
  readonly nodeId: string;
  /** The run's graph as saved files carry it, then the client's own members, each as keyword and JSON text. */
  readonly metadata: readonly (readonly [string, string])[];
  /** Five random letters for the names of this node's preview files. */
  readonly previewTag: string;
  /** Zeroed samples, counted against the memory budget; throws `OutOfMemoryError`. */
  pixels(samples: number): Float32Array;
  /** The same for who writes every one of them: they may hold what an earlier picture left. */
  unwritten(samples: number): Float32Array;
  /** Throws `OutOfMemoryError` unless so many bytes may be taken. */
  reserve(bytes: number): void;
  /**
   * A point where a cancel may take effect and other work gets its turn; cheap, call it per row. Reports the node's own
   * progress when `steps` is given.
   */
  checkpoint(step?: number, steps?: number): void | Promise<void>;
  /** Path on this machine of a file in the engine's input folder; throws `NodeError` when there is none. */
  inputFile(name: string): Promise<string>;
  /** A result file under the engine's naming rules, shown under `slot` (`images`). */
  save(file: SavedFile, slot?: string): Promise<void>;
  /** Something else that the engine's clients are shown under this key, e.g. that the pictures are animated. */
  show(key: string, item: UiItem): void;
  /** An empty list under this key. */
  showNothing(key: string): void;
  /** A picture that goes to clients as it is and lies in no folder; waits until it was taken. */
  sendPicture(picture: SentPicture): Promise<void>;
  /** A line that clients show on the node while it runs. */
  progressText(text: string): void;
  /** A text result of an output node. */
  text(text: string): Promise<void>;
  /** Number of the next of `count` files of this folder and base name; previews are counted within their node. */
  counter(folder: 'output' | 'temp', subfolder: string, base: string, count: number): Promise<number>;
}

/** A result file: `parts` are written one after the other, `null` standing for the text chunks of the run's graph. */
export interface SavedFile {
  readonly name: string;
  readonly subfolder: string;
  readonly folder: 'output' | 'temp';
  readonly contentType: string;
  readonly parts: readonly (Uint8Array | null)[];
}
