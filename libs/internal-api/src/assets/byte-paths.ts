/** Byte routes of the assets service for gateways. */
export const ASSET_BYTES = {
  upload: '/internal/v1/assets/upload',
  read: '/internal/v1/assets/bytes',
  readStored: '/internal/v1/assets/stored-bytes',
} as const;

/** Byte routes of the assets service for workers, published in docs/architecture/11-worker-protocol.md. */
export const WORKER_BYTES = {
  openInput: '/internal/v1/worker-assets/open-input',
  blockedInputs: '/internal/v1/worker-assets/blocked-inputs',
  commitOutput: '/internal/v1/worker-assets/commit-output',
} as const;
