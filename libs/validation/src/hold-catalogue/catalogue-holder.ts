import { Injectable } from '@nestjs/common';
import { loadCatalogue, type Catalogue, type JsonObject } from '@heddle/workflow-graph';

/** What a new catalogue brought, for whoever logs it: class names in the order of the engine. */
export interface CatalogueReplacement {
  readonly catalogue: Catalogue;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The node classes against which submissions are judged now. Whoever talks to the engine replaces them when it starts and
 * whenever its classes change; the work is done there, so that no submission waits for it. A submission that is being judged
 * keeps the catalogue that it began with; nothing else holds a replaced one.
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

  /**
   * Takes an engine's `/object_info` answer. Throws a SyntaxError and keeps what it has when the answer makes no sense: no
   * JSON object, or one in which nothing is a node class (an engine that starts or fails may answer so).
   */
  replace(description: Uint8Array | JsonObject): CatalogueReplacement {
    const catalogue = loadCatalogue(description);
    if (![...catalogue.classes.values()].some(({ inputs, outputs }) => inputs.length + outputs.length > 0)) {
      throw new SyntaxError('The catalogue cannot be used: nothing in it is a node class with inputs or outputs');
    }
    const before = this.held?.classes;
    this.held = catalogue;
    this.replacements++;
    return {
      catalogue,
      added: missingFrom(before, catalogue.classes),
      removed: missingFrom(catalogue.classes, before),
    };
  }
}

function missingFrom(has: Catalogue['classes'] | undefined, names: Catalogue['classes'] | undefined): string[] {
  return [...(names?.keys() ?? [])].filter((name) => has?.has(name) !== true);
}
