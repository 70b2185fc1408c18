import { FieldReader, type ClassFields } from './class-fields.js';
import { INPUT_TYPES, writeInputTypes } from './input-types.js';
import type { Interpreter } from './interpreter.js';
import { findAttribute, lineageOf } from './lineage.js';
import { UNKNOWN, type ClassValue, type PythonValue } from './value.js';

/** The fields of a class with `INPUT_TYPES` and `RETURN_TYPES`. */
export function readClassicClass(one: ClassValue, interpreter: Interpreter): ClassFields {
  const lineage = lineageOf(one);
  const attribute = (name: string): PythonValue | undefined => findAttribute(lineage, name)?.value;
  const reader = new FieldReader();
  const types = attribute('RETURN_TYPES');
  const fields = {
    category: reader.text('category', attribute('CATEGORY')),
    description: reader.text('description', attribute('DESCRIPTION')),
    // Without it the engine cannot call the class.
    function: reader.text('function', attribute('FUNCTION') ?? UNKNOWN),
    deprecated: reader.flag('deprecated', attribute('DEPRECATED')),
    experimental: reader.flag('experimental', attribute('EXPERIMENTAL')),
    input_types: reader.json.whole(INPUT_TYPES, () => writeInputTypes(inputTypesOf(one, interpreter), reader.json)),
    return_types: reader.types('return_types', types),
    return_names: reader.types('return_names', attribute('RETURN_NAMES'), types),
    output_is_list: reader.lists(attribute('OUTPUT_IS_LIST'), types),
    output_node: reader.flag('output_node', attribute('OUTPUT_NODE')),
  };
  return { ...fields, unknown: [...reader.unknown] };
}

function inputTypesOf(one: ClassValue, interpreter: Interpreter): PythonValue {
  const method = interpreter.attribute(one, 'INPUT_TYPES');
  return method.kind === 'function' ? interpreter.call(method, { args: [], named: new Map(), open: false }) : UNKNOWN;
}
