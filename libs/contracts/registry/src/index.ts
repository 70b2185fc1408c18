export { FINDING_SEVERITIES, type PackageFinding, type FindingType } from './finding.js';
export {
  PROXY_LIMITS,
  REGISTRY_LIMITS,
  RESERVED_NODES,
  RESERVED_PUBLISHERS,
  TOKEN_LIFE_S,
  UPSCALE_FLAVORS,
  VIDEO_MODELS,
  VIDEO_RESOLUTIONS,
} from './limits.js';
export { VERSION_STATUSES, versionStatusOf, versionStatusWire } from './node-version.js';
export type { BulkItemWire, NodeVersionWire, VersionSignature, VersionStatus } from './node-version.js';
export type { ChangeWire } from './change.js';
export type { NodePageWire, NodeStatus, NodeWire } from './node.js';
export { TOKEN_ACTIONS } from './publisher.js';
export type {
  IssuedTokenWire,
  MemberRole,
  PublisherProfile,
  PublisherStatus,
  PublisherWire,
  TokenAction,
  TokenWire,
} from './publisher.js';
export { registryDocument } from './registry-document.js';
export { CALLER_REFUSALS, refuseCredential, refuseHead } from './caller-refusals.js';
export { REGISTRY_ERRORS, refuseRegistry } from './registry-errors.js';
export type { RegistryErrorCase, RegistryErrorCode, RegistryRejection } from './registry-errors.js';
export { isCacheable, REGISTRY_ROUTES } from './routes.js';
export { PROXY_ROUTES } from './routes/proxy-routes.js';
export type { CreatedVideoWire, UpscaleWire, VideoTaskWire } from './proxy-task.js';
export type { WfNode, WfNodePolicy, WfNodeWire } from './wf-node.js';
