/** The two generations of the engine whose answers were recorded. */
export type Generation = '0.33.0' | '0.3.64';

const FEATURES: Readonly<Record<Generation, Readonly<Record<string, unknown>>>> = {
  '0.33.0': {
    supports_preview_metadata: true,
    supports_model_type_tags: true,
    max_upload_size: 0,
    extension: { manager: { supports_v4: true } },
    node_replacements: true,
    assets: false,
  },
  '0.3.64': { supports_preview_metadata: true, max_upload_size: 0 },
};

/** Capabilities of an engine of that generation: the answer of `/features` and to a client's feature flags. */
export function featuresOf(generation: Generation, maxUploadBytes: number): Readonly<Record<string, unknown>> {
  return { ...FEATURES[generation], max_upload_size: maxUploadBytes };
}
