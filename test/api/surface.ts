/**
 * Differences between the surfaces for the API suite (decisions, Surfaces). Self-hosted is the only surface that exists:
 * nothing sets HEDDLE_TEST_SURFACE yet, and the branches for the others run when their surface does.
 */
export interface SurfaceFacts {
  /** none: no credential; keys: API keys of accounts. */
  readonly credential: 'none' | 'keys';
  /** GET content: bytes, or 302 to a signed URL */
  readonly content: 'bytes' | 'redirect';
  /** GET logs: no such route, always 204, or captured */
  readonly logs: 'no-route' | 'empty' | 'captured';
  /** Default retention of uploads in seconds; null: unlimited */
  readonly uploadRetentionSeconds: number | null;
  /** True if 402 `insufficient_credits` is possible */
  readonly credits: boolean;
}

const SURFACES = {
  'self-hosted': {
    credential: 'none',
    content: 'bytes',
    logs: 'no-route',
    uploadRetentionSeconds: null,
    credits: false,
  },
  managed: {
    credential: 'keys',
    content: 'redirect',
    logs: 'empty',
    uploadRetentionSeconds: 30 * 86_400,
    credits: true,
  },
  dedicated: {
    credential: 'keys',
    content: 'redirect',
    logs: 'captured',
    uploadRetentionSeconds: 30 * 86_400,
    credits: true,
  },
} as const satisfies Record<string, SurfaceFacts>;

const name = (process.env['HEDDLE_TEST_SURFACE'] ?? 'self-hosted') as keyof typeof SURFACES;

export const surface: SurfaceFacts & { readonly name: keyof typeof SURFACES } = { name, ...SURFACES[name] };
