export type {
  DeploymentCreated,
  DeploymentEvent,
  DeploymentEventType,
  Environment,
  Limits,
  Options,
  RecordedDeploymentEvent,
} from './deployment.events.js';
export {
  decodeDeploymentEvent,
  DEPLOYMENT_EVENT_SCHEMA_VERSION,
  DEPLOYMENT_EVENT_TYPES,
  encodeDeploymentEvent,
} from './deployment.codec.js';
export { environmentsInUse, LIVE_STATUSES, uncreated } from './deployment.state.js';
export type {
  CreatedDeployment,
  DeletedDeployment,
  DeploymentFacts,
  DeploymentState,
  LiveDeployment,
  LiveStatus,
  UncreatedDeployment,
} from './deployment.state.js';
export { evolve, fold, millisecondsBetween } from './evolve.js';
export {
  changeOptions,
  awaitsWorker,
  coldStartS,
  createDeployment,
  deleteDeployment,
  drain,
  mayStep,
  observe,
  pause,
  repin,
  resume,
  start,
} from './deployment.js';
export type { DeploymentDecision, DeploymentRejection, Observation } from './deployment.js';
export { labelProblem } from './deployment-name.js';
