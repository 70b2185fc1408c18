/** Bytes that gateways send to the assets service, and read from it. */
export const ASSET_BYTES = {
  upload: '/internal/v1/assets/upload',
  read: '/internal/v1/assets/bytes',
} as const;

/** The same of workers; docs/architecture/11-worker-protocol.md publishes both. */
export const WORKER_BYTES = {
  openInput: '/internal/v1/worker-assets/open-input',
  commitOutput: '/internal/v1/worker-assets/commit-output',
} as const;
