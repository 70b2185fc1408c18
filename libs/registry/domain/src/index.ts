export { evolveNode } from './evolve-node.js';
export { evolvePublisher } from './evolve-publisher.js';
export { evolveVersion } from './evolve-version.js';
export { isNodeId, isPublisherId, nodeKey, repositoryKey, skeletonOf } from './node-id.js';
export {
  banNode,
  changeRanks,
  changeText,
  claimNode,
  createNode,
  deleteNode,
  releaseNode,
  reportNode,
  repositoryOf,
  unbanNode,
  writeBarrier,
} from './node.js';
export { UNCLAIMED } from './node.state.js';
export type { RegistryNodeState } from './node.state.js';
export { isPublicUrl, PUBLIC_URL_RULE } from './public-url.js';
export { banPublisher, createPublisher, unbanPublisher } from './publisher.js';
export type { PublisherState } from './publisher.state.js';
export { decodeRegistryEvent, encodeRegistryEvent, REGISTRY_EVENT_SCHEMA_VERSION } from './registry.codec.js';
export type {
  NodeEvent,
  NodeText,
  PublisherEvent,
  RegistryEvent,
  VersionEvent,
  VersionText,
} from './registry.events.js';
export { decodeState, encodeState } from './state.codec.js';
export type { StateJson } from './state.codec.js';
export { isText, isTextList, textListRule, textRule } from './text-rules.js';
export { parseVersion, VERSION_RULE } from './version-number.js';
export type { VersionNumber } from './version-number.js';
export {
  deleteVersion,
  deprecate,
  endExtraction,
  endScan,
  expire,
  publish,
  requestReview,
  rescan,
  review,
  setClasses,
  upload,
  uploadRejection,
  wantsClasses,
} from './version.js';
export type { UploadRejection, VersionChange } from './version.js';
export type { VersionState } from './version.state.js';
