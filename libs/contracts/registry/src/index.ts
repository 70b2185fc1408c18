export type { WfNode, WfNodePolicy } from './wf-node.js';
export { FINDING_SEVERITIES, type Finding, type FindingSeverity, type FindingType } from './finding.js';
