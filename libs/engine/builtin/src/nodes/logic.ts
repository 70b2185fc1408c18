import type { NodeImplementation } from '../execution/node-class.js';

/** Only the chosen side is computed. */
export const comfySwitch: NodeImplementation = {
  neededLazyInputs: (inputs) => [inputs.flag('switch') ? 'on_true' : 'on_false'],
  run: (inputs) => [inputs.any(inputs.flag('switch') ? 'on_true' : 'on_false')],
};

export const comfyNot: NodeImplementation = {
  run: (inputs) => [!inputs.flag('value')],
};
