/** Bounds on one workflow (decisions, Limits on graphs; sizes in bytes of UTF-8). */
export interface GraphLimits {
  readonly maxNodes: number;
  readonly maxLinks: number;
  readonly maxInputsPerNode: number;
  readonly maxNodeIdBytes: number;
  readonly maxStringBytes: number;
  readonly maxAssetReferences: number;
}

export const DEFAULT_GRAPH_LIMITS: GraphLimits = {
  maxNodes: 5_000,
  maxLinks: 50_000,
  maxInputsPerNode: 256,
  maxNodeIdBytes: 128,
  maxStringBytes: 1_048_576,
  maxAssetReferences: 256,
};

const encoder = new TextEncoder();

/** Whether a text takes more than so many bytes of UTF-8. */
export function exceedsBytes(text: string, limit: number): boolean {
  // A UTF-16 unit takes one to three bytes: most texts are decided by their length alone.
  if (text.length > limit) return true;
  return text.length * 3 > limit && encoder.encode(text).length > limit;
}
