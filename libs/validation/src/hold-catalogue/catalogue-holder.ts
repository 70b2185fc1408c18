import { Injectable } from '@nestjs/common';
import { compileCatalogue } from '@heddle/workflow-graph';
import type { Catalogue, JsonObject } from '@heddle/workflow-graph';

/** What changed with a new catalogue, for logging: class names in the engine's order. */
export interface CatalogueReplacement {
  readonly catalogue: Catalogue;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Holds the node classes that submissions are checked against. The engine driver replaces them when the engine starts
 * and when its classes change; compilation happens then, so no submission waits for it. A submission in progress keeps
 * the catalogue that it started with; nothing else holds a replaced one.
 */
@Injectable()
export class CatalogueHolder {
  private held: Catalogue | null = null;
  private replacements = 0;
  private absence: string | null = null;

  /** Null until the first description of an engine arrives. */
  get current(): Catalogue | null {
    return this.held;
  }

  /** Why there is none, as far as it is known. */
  get missing(): string | null {
    return this.held === null ? this.absence : null;
  }

  /** The engine cannot be asked now, and why. */
  awaits(reason: string): void {
    this.absence = reason;
  }

  /** Number of catalogues held so far; 0 means none yet. */
  get version(): number {
    return this.replacements;
  }

  /**
   * Compiles an engine's `/object_info` answer. Throws a SyntaxError and keeps the current catalogue if the answer is
   * not a JSON object or contains no node class (as an engine that is starting or failing may answer).
   */
  replace(description: Uint8Array | JsonObject): CatalogueReplacement {
    const catalogue = compileCatalogue(description);
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
