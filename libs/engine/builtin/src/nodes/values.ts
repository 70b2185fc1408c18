import type { NodeImplementation } from '../execution/node-class.js';

/** A constant that links can carry; the catalogue's type has already turned it into the right kind. */
export const primitiveValue: NodeImplementation = {
  run: (inputs) => [inputs.any('value')],
};
