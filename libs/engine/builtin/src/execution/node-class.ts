import type { SentPicture, UiItem } from '../process/run-details.js';
import type { Inputs } from '../values/inputs.js';
import type { Value } from '../values/value.js';

/** Implementation of a node class. Its declared inputs and outputs are in the catalogue. */
export interface NodeImplementation {
  /** Returns one value per declared output slot; a list for a slot with `output_is_list`. */
  run(inputs: Inputs, context: NodeContext): readonly Value[] | Promise<readonly Value[]>;
  /** Lazy inputs that this call needs, given the known ones; absent if the class has no lazy inputs. */
  neededLazyInputs?(inputs: Inputs): readonly string[];
  /** Runs again in every graph, whatever the inputs. */
  readonly neverCached?: true;
}

/** Services for a running node */
export interface NodeContext {
  readonly nodeId: string;
  /** Metadata of saved files: the graph, then the client's members, each as keyword and JSON text */
  readonly metadata: readonly (readonly [string, string])[];
  /** Five random letters for the names of this node's preview files */
  readonly previewTag: string;
  /** Allocates zeroed samples within the memory budget. Throws `OutOfMemoryError`. */
  pixels(samples: number): Float32Array;
  /** Allocates samples with undefined content, for a caller that writes all of them. */
  unwritten(samples: number): Float32Array;
  /** Throws `OutOfMemoryError` if the budget has no room for this many bytes. */
  reserve(bytes: number): void;
  /**
   * Yields to other work, and stops the node after a cancel. Cheap: call it per row. With `steps`, reports the node's
   * progress.
   */
  checkpoint(step?: number, steps?: number): void | Promise<void>;
  /** Local path of a file in the engine's input folder. Throws `NodeError` if it does not exist. */
  inputFile(name: string): Promise<string>;
  /** Saves a result file by the engine's naming rules, shown under `slot` (`images`). */
  save(file: SavedFile, slot?: string): Promise<void>;
  /** Shows another item to the engine's clients under this key, for example that the pictures are animated. */
  show(key: string, item: UiItem): void;
  /** Shows an empty list under this key. */
  showNothing(key: string): void;
  /** Sends a picture to clients without storing it. Resolves when it was accepted. */
  sendPicture(picture: SentPicture): Promise<void>;
  /** Sends a line that clients show on the running node. */
  progressText(text: string): void;
  /** Writes a line to the log of the run; the line break is added. */
  log(line: string): void;
  /** Emits a text result of an output node. */
  text(text: string): Promise<void>;
  /** First of the next `count` file numbers for this folder and base name. Previews are counted per node. */
  counter(folder: 'output' | 'temp', subfolder: string, base: string, count: number): Promise<number>;
}

/** A result file: `parts` in order, with `null` for the text chunks of the run's graph */
export interface SavedFile {
  readonly name: string;
  readonly subfolder: string;
  readonly folder: 'output' | 'temp';
  readonly contentType: string;
  readonly parts: readonly (Uint8Array | null)[];
}
