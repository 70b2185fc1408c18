export { childAt, makeExact, readJson } from './json/read-json.js';
export type { JsonDocument, ReadFailure, ReadResult } from './json/read-json.js';
export { isJsonObject, ownValue } from './json/json-value.js';
export type { ByteSpan, JsonObject, JsonPath, JsonValue } from './json/json-value.js';
export type { ScanLimits, ScanReport } from './json/scan-json.js';
export { findDuplicateKey, findValueSpans, keysInOrder } from './json/walk-json.js';
export { replaceSpans } from './json/replace-spans.js';
export type { SpanReplacement } from './json/replace-spans.js';
export { loadCatalogue } from './catalogue/load-catalogue.js';
export type { Catalogue, InputSpec, NodeClass } from './catalogue/catalogue.js';
export { typesMatch } from './catalogue/match-types.js';
export { parseSubmission } from './parse-submission/parse-submission.js';
export type {
  ParsedSubmission,
  SubmissionErrorCode,
  SubmissionRejection,
  SubmittedCredentials,
} from './parse-submission/parse-submission.js';
export { readWorkflow } from './parse-submission/read-workflow.js';
export type { ReadWorkflow } from './parse-submission/read-workflow.js';
export type { Metadata } from './parse-submission/read-metadata.js';
export { DEFAULT_SUBMISSION_LIMITS } from './parse-submission/submission-limits.js';
export type { SubmissionLimits } from './parse-submission/submission-limits.js';
export { validateWorkflow } from './check-workflow/validate-workflow.js';
export type { WorkflowHints, WorkflowReport } from './check-workflow/validate-workflow.js';
export { hasErrors, withUnknownFiles } from './check-workflow/unknown-files.js';
export { DEFAULT_GRAPH_LIMITS } from './check-workflow/graph-limits.js';
export type { GraphLimits } from './check-workflow/graph-limits.js';
export { NODE_ERROR_REASONS } from './check-workflow/node-problems.js';
export type { NodeErrorReason, NodeErrors, NodeProblem } from './check-workflow/node-problems.js';
export type { AssetReference } from './check-workflow/asset-references.js';
export type { NamedFile } from './check-workflow/file-names.js';
export { describeGraph } from './describe-graph/describe-graph.js';
export type { GraphDescription } from './describe-graph/describe-graph.js';
export { locateInputs } from './check-workflow/locate-inputs.js';
export type { LocatedInput } from './check-workflow/locate-inputs.js';
