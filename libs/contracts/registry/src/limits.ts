/** Lengths count code points (registry decisions, Lengths). */
export const REGISTRY_LIMITS = {
  bodyBytes: 1_048_576,
  description: 1_000,
  changelog: 20_000,
  name: 200,
  author: 200,
  license: 2_000,
  tags: 32,
  tag: 64,
  dependencies: 500,
  dependency: 512,
  url: 2_048,
  version: 64,
  nodeId: 100,
  publisherId: 64,
  bulkItems: 100,
  searchText: 200,
  /** Of all translations of a node, as JSON. */
  translations: 100_000,
  /** Of every other text and list that the decisions give no length. */
  text: 1_000,
  list: 100,
} as const;

/** Of the partner proxy (registry decisions, Multiframe). Lengths count code points. */
export const PROXY_LIMITS = {
  taskBodyBytes: 20 * 1_048_576,
  bodyBytes: 1_048_576,
  settings: { min: 2, max: 9 },
  seconds: { min: 2, max: 7, default: 5 },
  prompt: 2_000,
  payload: 1_048_576,
  url: 2_048,
  /** Of an image in a body, decoded. */
  imageBytes: 10 * 1_048_576,
  scaleFactor: { min: 2, max: 16, default: 2 },
  percent: { min: 0, max: 100 },
} as const;

export const VIDEO_MODELS = ['vendorq2-pro', 'vendorq2-turbo'] as const;
export const VIDEO_RESOLUTIONS = ['540p', '720p', '1080p'] as const;
export const UPSCALE_FLAVORS = ['sublime', 'photo', 'photo_denoiser'] as const;

/** Life of a publisher's token in seconds. */
export const TOKEN_LIFE_S = { min: 60, max: 31_622_400, default: 7_776_000 } as const;

/** Ids that no publisher can have. */
export const RESERVED_PUBLISHERS: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'me',
  'new',
  'permissions',
  'self',
  'unclaimed',
  'validate',
  'heddle',
]);

/** Keys of node ids that no node can have: a route of the registry stands at the path of each. */
export const RESERVED_NODES: ReadonlySet<string> = new Set(['search']);
