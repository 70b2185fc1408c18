import { commonFields, UNKNOWN_FIELDS, type ClassFields } from './class-fields.js';
import { readClassicClass } from './classic-class.js';
import type { Interpreter } from './interpreter.js';
import { findAttribute, lineageOf } from './lineage.js';
import { readSchemaClass, type SchemaClass } from './schema-class.js';
import type { ClassValue, PythonValue } from './value.js';

/** Describes classes, each once; after a bound is reached, all of them by their names only. */
export class ClassDescriber {
  private readonly known = new Map<ClassValue, SchemaClass>();
  /** The bound that was reached. */
  bound: string | undefined;

  constructor(private readonly interpreter: Interpreter) {}

  /** The fields of what a key of NODE_CLASS_MAPPINGS stands for. */
  fieldsOf(value: PythonValue): ClassFields {
    if (value.kind !== 'class') return UNKNOWN_FIELDS;
    return value.classes.map((one) => this.classOf(one).fields).reduce(commonFields);
  }

  /** A class by itself. It has names only if it has a schema. */
  classOf(one: ClassValue): SchemaClass {
    let described = this.known.get(one);
    if (described !== undefined) return described;
    described = { names: [], fields: UNKNOWN_FIELDS };
    this.bound ??= this.interpreter.within(() => {
      const hasSchema = findAttribute(lineageOf(one), 'define_schema')?.owner !== undefined;
      described = hasSchema
        ? readSchemaClass(one, this.interpreter)
        : { names: [], fields: readClassicClass(one, this.interpreter) };
    });
    this.known.set(one, described);
    return described;
  }
}
