export { callServer, callsAddress, listenForCalls } from './calls/serve-calls.js';
export { callerOf, peerConnector } from './calls/call-services.js';
export { followCatalogue } from './connect/follow-catalogue.js';
export { kafkaConnection } from './connect/kafka-connection.js';
export { openBus } from './connect/open-bus.js';
export { prepareDatabase, prepareTopics, SERVICE_SCHEMAS } from './connect/prepare-database.js';
export type { ServiceRole } from './connect/prepare-database.js';
export { openDatabase } from './connect/open-database.js';
export { openEngine } from './connect/open-engine.js';
export { modelPlacement } from './connect/place-models.js';
export { openRoleDatabase } from './connect/open-role-database.js';
export { openStore } from './connect/open-store.js';
export { databaseReadiness } from './connect/readiness.js';
export { topicWishes } from './connect/topics.js';
export { listening, PortTakenError } from './process/listen.js';
export { observeActive, requestObserver } from './process/observe.js';
export { observePools } from './connect/observe-pools.js';
export { runService } from './process/run-service.js';
export { ServiceProcess } from './process/service-process.js';
export {
  assetsSettings,
  engineOptions,
  gatewaySettings,
  httpLimits,
  jobsSettings,
  validationLimits,
  workerSettings,
} from './service-settings.js';
export { startWorker } from './start-worker.js';
export { readSettingFlags, renderSettings } from './settings/setting-flags.js';
export type { Setting } from './settings/setting-kinds.js';
export { SettingRefused } from './settings/setting-kinds.js';
export { readSettings } from './settings/settings.js';
export type { Settings } from './settings/settings.js';
export { SETTINGS } from './settings/settings-table.js';
