import { isJsonObject, ownValue, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';

/** A `core/ASSET` object somewhere in the inputs of a graph node. */
export interface AssetReference {
  readonly nodeId: string;
  /** The input that contains it, directly or nested. */
  readonly input: string;
  /** From the root of the workflow to the object. */
  readonly path: JsonPath;
  /** The referenced id; null if it cannot exist. */
  readonly assetId: string | null;
}

const ASSET_TYPE = 'core/ASSET';
const RARE_PART = 'ASSET';
/** Longer ids cannot exist. */
const MAX_ASSET_ID_LENGTH = 128;

export function isAssetReference(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && ownValue(value, '__type') === ASSET_TYPE;
}

/**
 * True if a document's text may contain a reference. An escape may hide letters of the type name, so texts with escapes
 * are searched in full.
 */
export function mayHoldAssets(text: string, hasEscapes: boolean): boolean {
  // Capital letters are rare in a workflow, so the native search rarely stops early.
  return hasEscapes || text.includes(RARE_PART);
}

/** Collects at most `limit` references in the inputs of one node; the content of a reference is not searched. */
export function collectAssetReferences(nodeId: string, inputs: JsonObject, limit: number): AssetReference[] {
  const found: AssetReference[] = [];
  for (const input of Object.keys(inputs)) search(ownValue(inputs, input)!, input, [nodeId, 'inputs', input]);
  return found;

  function search(value: JsonValue, input: string, path: JsonPath): void {
    if (typeof value !== 'object' || value === null || found.length >= limit) return;
    if (isAssetReference(value)) found.push({ nodeId, input, path, assetId: assetIdOf(value) });
    else if (Array.isArray(value)) value.forEach((item, at) => search(item, input, [...path, at]));
    else for (const key of Object.keys(value)) search(ownValue(value, key)!, input, [...path, key]);
  }
}

/** `info.id` is authoritative; hash and file path beside it are only hints. */
function assetIdOf(reference: JsonObject): string | null {
  const info = ownValue(reference, 'info');
  const id = isJsonObject(info) ? ownValue(info, 'id') : undefined;
  return typeof id === 'string' && id.length > 0 && id.length <= MAX_ASSET_ID_LENGTH ? id : null;
}
