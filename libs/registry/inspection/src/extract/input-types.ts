import { isSequence } from './containers.js';
import type { PythonValue } from './value.js';
import type { ValueJson } from './value-json.js';

export const INPUT_TYPES = 'input_types';

/** The JSON text of what `INPUT_TYPES` returned; `undefined` where that is not known at all. */
export function writeInputTypes(value: PythonValue, json: ValueJson): string | undefined {
  if (value.kind !== 'dict') return undefined;
  return json.object(value, INPUT_TYPES, (group, groupName) => {
    const groupPath = `${INPUT_TYPES}.${groupName}`;
    if (group.kind !== 'dict') return json.unknownAt(groupPath, group);
    return json.object(group, groupPath, (input, name) => writeInput(input, `${groupPath}.${name}`, json));
  });
}

/** `(TYPE, {options})`: a type that is not known has the path of the input, an option its name below it. */
function writeInput(input: PythonValue, path: string, json: ValueJson): string {
  if (!isSequence(input) || input.open) return json.write(input, path);
  return json.array(
    input.items.map((item, index) => () => {
      if (index !== 1 || item.kind !== 'dict') return json.write(item, path);
      return json.object(item, path, (option, name) => json.write(option, `${path}.${name}`));
    }),
  );
}
