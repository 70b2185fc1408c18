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

const MAX_INSERTED = 16;

/**
 * Problems by node id; ids and fields are sorted. The object has no prototype: ids such as `__proto__` are plain keys.
 */
export type NodeErrors = Readonly<Record<string, readonly NodeProblem[]>>;

/** The distinct problems in stable order (node id, field, reason). */
export function orderedErrors(problems: ReadonlyMap<string, readonly NodeProblem[]>): NodeErrors {
  const errors = Object.create(null) as Record<string, readonly NodeProblem[]>;
  for (const id of [...problems.keys()].sort()) errors[id] = ordered(problems.get(id)!);
  return errors;
}

/** By insertion: most nodes have a few problems, and a sort of the engine costs each a kilobyte. */
function ordered(problems: readonly NodeProblem[]): readonly NodeProblem[] {
  if (problems.length > MAX_INSERTED) return distinct([...problems].sort(inOrder));
  const sorted: NodeProblem[] = [];
  for (const problem of problems) {
    let at = sorted.length;
    while (at > 0 && inOrder(sorted[at - 1]!, problem) > 0) at -= 1;
    if (at > 0 && inOrder(sorted[at - 1]!, problem) === 0) continue;
    sorted.push(problem);
    for (let to = sorted.length - 1; to > at; to -= 1) sorted[to] = sorted[to - 1]!;
    sorted[at] = problem;
  }
  return sorted;
}

function distinct(sorted: readonly NodeProblem[]): readonly NodeProblem[] {
  return sorted.filter((problem, at) => at === 0 || inOrder(sorted[at - 1]!, problem) !== 0);
}

function inOrder(a: NodeProblem, b: NodeProblem): number {
  return compare(a.field, b.field) || compare(a.reason, b.reason);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
