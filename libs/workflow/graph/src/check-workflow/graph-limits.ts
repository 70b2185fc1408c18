/** Limits on one workflow (decisions, Limits on graphs); sizes in UTF-8 bytes. */
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

/** True if the text needs more than `limit` UTF-8 bytes. */
export function exceedsBytes(text: string, limit: number): boolean {
  // A UTF-16 unit takes one to three bytes: for most texts the length alone decides.
  if (text.length > limit) return true;
  return text.length * 3 > limit && encoder.encode(text).length > limit;
}
