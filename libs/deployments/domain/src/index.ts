export type { DeploymentEvent, Environment, Options } from './deployment.events.js';
export { decodeDeploymentEvent, DEPLOYMENT_EVENT_SCHEMA_VERSION, encodeDeploymentEvent } from './deployment.codec.js';
export { environmentsInUse, uncreated } from './deployment.state.js';
export type { CreatedDeployment, DeploymentState } from './deployment.state.js';
export { evolve, fold } from './evolve.js';
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
