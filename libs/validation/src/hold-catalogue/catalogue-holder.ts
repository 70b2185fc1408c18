import { Injectable } from '@nestjs/common';
import { loadCatalogue, type Catalogue, type JsonObject } from '@heddle/workflow-graph';

/**
 * The node classes against which submissions are judged now. Whoever talks to the engine replaces them when it starts and
 * whenever its classes change; the work is done there, so that no submission waits for it.
 */
@Injectable()
export class CatalogueHolder {
  private held: Catalogue | null = null;
  private replacements = 0;

  /** Null until an engine has described itself for the first time. */
  get current(): Catalogue | null {
    return this.held;
  }

  /** Counts the catalogues held so far: 0 means none yet. */
  get version(): number {
    return this.replacements;
  }

  /** Takes an engine's `/object_info` answer. Throws a SyntaxError and keeps what it has when the answer makes no sense. */
  replace(description: Uint8Array | JsonObject): Catalogue {
    const catalogue = loadCatalogue(description);
    this.held = catalogue;
    this.replacements++;
    return catalogue;
  }
}
