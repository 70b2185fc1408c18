import type { JsonObject } from '../json/json-value.js';
import type { Catalogue } from './catalogue.js';
import { loadCatalogue } from './load-catalogue.js';

/**
 * Throws a SyntaxError if the description is not a JSON object or contains no node class, as an engine that is starting
 * or failing may answer.
 */
export function compileCatalogue(description: Uint8Array | JsonObject): Catalogue {
  const catalogue = loadCatalogue(description);
  if (![...catalogue.classes.values()].some(({ inputs, outputs }) => inputs.length + outputs.length > 0)) {
    throw new SyntaxError('The catalogue contains no node class with inputs or outputs');
  }
  return catalogue;
}
