import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '@heddle/workflow-graph';

/** Input declarations of `/object_info`, for error texts; parsed for the first error. */
export class ClassDescriptions {
  private document: JsonObject | null = null;

  constructor(private readonly objectInfo: string) {}

  classOf(workflow: JsonObject, id: string): string | null {
    const node = ownValue(workflow, id);
    const name = isJsonObject(node) ? node['class_type'] : null;
    return typeof name === 'string' ? name : null;
  }

  /** `[type, options]` of an input; null if the class does not declare it. */
  declared(className: string | null, input: string): readonly JsonValue[] | null {
    this.document ??= JSON.parse(this.objectInfo) as JsonObject;
    const description = className === null ? undefined : ownValue(this.document, className);
    const groups = isJsonObject(description) ? description['input'] : undefined;
    if (!isJsonObject(groups)) return null;
    for (const group of ['required', 'optional']) {
      const inputs = groups[group];
      const declared = isJsonObject(inputs) ? ownValue(inputs, input) : undefined;
      if (Array.isArray(declared)) return declared;
    }
    return null;
  }
}
