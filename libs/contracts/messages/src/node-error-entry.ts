/** An entry of `details.node_errors`. */
export interface NodeErrorEntry {
  /** Input name, `class_type`, `inputs`, or the empty string for the node itself. */
  readonly field: string;
  readonly reason: string;
  /** Of an unknown class: the package of the registry that has it. */
  readonly package?: { readonly node_id: string; readonly version: string };
}
