export { ERROR_CODES, errorText } from './error-codes.js';
export type { ApiErrorCode, ErrorCase, ErrorEnvelope } from './error-codes.js';
export type { ErrorCodeEntry, ErrorText, Limit } from './errors/error-entry.js';
export { labelProblemText } from './errors/deployment-errors.js';
export type { OptionRange } from './errors/deployment-errors.js';
export { QUERY_PROBLEMS } from './errors/job-errors.js';
export type { QueryProblem } from './errors/job-errors.js';
export { busy, code, later, sizeText } from './errors/error-entry.js';
export { methodsOf, ROUTES, routesOf, SCOPES } from './routes.js';
export type { Route, Scope } from './routes.js';
export {
  IDEMPOTENCY_KEY_RULE,
  ASSET_LIMITS,
  BLOB_HASH_PATTERN,
  isIdempotencyKey,
  isLabelKey,
  LABEL_LIMITS,
  labelValueProblem,
  MAX_METADATA_FILTERS,
  PAGE_ENTRIES,
} from './request-limits.js';
export { openApiDocument } from './openapi-document.js';
export { closedEnum, dateTime, object, ref } from './schemas/json-schema.js';
export type { JsonSchema } from './schemas/json-schema.js';
export type { AssetWire } from './schemas/asset.js';
export { JOB_ERROR_CODES, JOB_STATUSES, JOB_URL_PATHS, OUTPUT_TYPES } from './schemas/job.js';
export type { JobListItemWire, JobListWire, JobWire, OutputWire, ProgressWire } from './schemas/job.js';
export type { JobLogWire } from './schemas/log.js';
export type { FrameEvent, PreviewFrameWire, StatusFrameWire } from './schemas/frame.js';
