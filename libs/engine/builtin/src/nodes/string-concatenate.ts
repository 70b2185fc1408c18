import type { NodeClass } from '../execution/node-class.js';

export const stringConcatenate: NodeClass = {
  run: (inputs) => [inputs.text('string_a') + inputs.text('delimiter', '') + inputs.text('string_b')],
};
