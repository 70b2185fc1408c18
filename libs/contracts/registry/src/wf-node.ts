/** A node class of a package (api-v2, Registry: WfNode; registry decisions, Publishing and Extraction). */
export interface WfNode {
  readonly wf_node_name: string;
  readonly category: string;
  readonly description: string;
  readonly function: string;
  readonly deprecated: boolean;
  readonly experimental: boolean;
  /** JSON text: `{"required": {NAME: [TYPE, OPTIONS]}, "optional": …, "hidden": …}`, in the order of the source. */
  readonly input_types: string;
  /** JSON text of an array. */
  readonly return_types: string;
  /** JSON text of an array; the return types where the class gives no names. */
  readonly return_names: string;
  /** One for each return type. */
  readonly output_is_list: readonly boolean[];
  readonly output_node: boolean;
  readonly policy: WfNodePolicy;
  /** Paths of what the source does not tell, as `input_types.required.model` or `return_types`. */
  readonly unknown: readonly string[];
}

/** A class as it is answered: with the version that it is of. */
export interface WfNodeWire extends WfNode {
  readonly node_id: string;
  readonly node_version: string;
}

/** What an administrator allows for a class. */
export type WfNodePolicy = 'WfNodePolicyActive' | 'WfNodePolicyBanned' | 'WfNodePolicyLocalOnly';
