import type { InputSpec, NodeClass } from './catalogue.js';

/** An input of which nothing is known: it may be missing, and takes any value and any link. */
export const UNKNOWN_VALUE: InputSpec = {
  name: '',
  required: false,
  kind: 'other',
  type: '*',
  min: null,
  max: null,
  options: null,
  multiselect: false,
  file: null,
  ownCheck: false,
  inheritedName: false,
  dynamic: null,
};

/** Stands for the inputs of a class that are not known. Its name is none that Python source could give an input. */
export const OTHER_INPUTS: InputSpec = { ...UNKNOWN_VALUE, name: '\0', dynamic: { form: 'any' } };

/** A class of which nothing is known. */
export const UNKNOWN_CLASS: NodeClass = {
  name: '',
  inputs: [OTHER_INPUTS],
  outputs: [],
  isOutput: false,
  mayBeOutput: true,
  hasOtherOutputs: true,
  hasDynamicInputs: true,
  rule: null,
};
