export type SurfaceName = 'managed' | 'dedicated' | 'self-hosted';

/** The differences between surfaces, in one table (decisions, Surfaces). */
export interface SurfaceCapabilities {
  /** Content is answered with the bytes, or with a redirect to a signed URL. */
  readonly content: 'bytes' | 'redirect';
  /** The logs route exists, and jobs have `urls.logs`. */
  readonly logs: boolean;
  /** Only requests that name this machine, from pages of this machine (reliability 4.1). */
  readonly originGuard: boolean;
  /** `/` describes the service to a person who opens the address; elsewhere it is an unknown route. */
  readonly startPage: boolean;
}

export const SURFACES: Readonly<Record<SurfaceName, SurfaceCapabilities>> = {
  managed: { content: 'redirect', logs: true, originGuard: false, startPage: false },
  dedicated: { content: 'redirect', logs: true, originGuard: false, startPage: false },
  'self-hosted': { content: 'bytes', logs: false, originGuard: true, startPage: true },
};
