/** Reasons why a field of a graph node is refused (decisions, `node_errors` reasons). */
export const NODE_ERROR_REASONS = [
  'missing_input',
  'bad_link',
  'link_source_not_found',
  'link_slot_out_of_range',
  'type_mismatch',
  'invalid_value_type',
  'value_below_min',
  'value_above_max',
  'value_not_in_list',
  'custom_validation_failed',
  'invalid_dynamic_input',
  'dependency_cycle',
  'invalid_loop',
  'unknown_node_class',
  'missing_class_type',
  'invalid_node',
  'validation_exception',
  'unsupported_value',
] as const;

export type NodeErrorReason = (typeof NODE_ERROR_REASONS)[number];

export interface NodeProblem {
  /** Input name, `class_type`, `inputs`, or the empty string for the whole node. */
  readonly field: string;
  readonly reason: NodeErrorReason;
  /** The package of the registry that has the unknown class, if one is known. */
  readonly package?: { readonly node_id: string; readonly version: string };
}

/**
 * Problems by node id; ids and fields are sorted. The object has no prototype: ids such as `__proto__` are plain keys.
 */
export type NodeErrors = Readonly<Record<string, readonly NodeProblem[]>>;

/** The distinct problems in stable order (node id, field, reason). */
export function orderedErrors(problems: ReadonlyMap<string, readonly NodeProblem[]>): NodeErrors {
  const errors = Object.create(null) as Record<string, readonly NodeProblem[]>;
  for (const id of [...problems.keys()].sort()) {
    const sorted = [...problems.get(id)!].sort((a, b) => compare(a.field, b.field) || compare(a.reason, b.reason));
    errors[id] = sorted.filter((problem, at) => {
      const before = sorted[at - 1];
      return before === undefined || before.field !== problem.field || before.reason !== problem.reason;
    });
  }
  return errors;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
