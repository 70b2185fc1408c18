export { ERROR_CODES } from './error-codes.js';
export type { ApiErrorCode, ErrorEnvelope } from './error-codes.js';
export { errorCodesOf, methodsOf, ROUTES } from './routes.js';
export type { Route, RouteSuccess } from './routes.js';
export { openApiDocument } from './openapi-document.js';
export type { AssetWire } from './schemas/asset.js';
export { JOB_ERROR_CODES, JOB_STATUSES, OUTPUT_TYPES } from './schemas/job.js';
export type { JobErrorWire, JobListItemWire, JobListWire, JobWire, OutputWire, ProgressWire } from './schemas/job.js';
