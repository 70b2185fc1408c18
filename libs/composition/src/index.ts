// What every process needs. Everything that loads a framework, a driver or a service is a separate entry in
// package.json, so that a process loads only what it uses.
export { answeredHosts } from '@heddle/gateway/settings';
export { CALLED_SERVICES } from '@heddle/internal-api/called-services';
export { SettingRefused } from '@heddle/platform-settings';
export type { Setting } from '@heddle/platform-settings';
export { callsAddress, peerAddress } from './calls/calls-settings.js';
export { describeEngine } from './connect/describe-engine.js';
export { followCatalogue } from './connect/follow-catalogue.js';
export { kafkaConnection } from './connect/kafka-connection.js';
export { observePools } from './connect/observe-pools.js';
export { openBus } from './connect/open-bus.js';
export { openEngine } from './connect/open-engine.js';
export { modelPlacement } from './connect/place-models.js';
export { desiredTopics } from './connect/topics.js';
export { registryFolders } from './connect/registry-folders.js';
export { watchDisk } from './connect/watch-disk.js';
export { watchEngine } from './connect/watch-engine.js';
export type { WrittenFolder } from './connect/disk-room.js';
export { assertPortsFree, listening, PortTakenError } from './process/listen.js';
export { openAddressLines, urlOf } from './process/listen-address.js';
export { runService } from './process/run-service.js';
export { ServiceProcess } from './process/service-process.js';
export { serviceEnvironment } from './settings/service-environment.js';
export type { ClusterProcess } from './settings/settings-table.js';
export { flagOf, readSettingFlags, renderSettings } from './settings/setting-flags.js';
export { readSettings, unknownSettings } from './settings/settings.js';
export type { Settings } from './settings/settings.js';
export { SETTINGS } from './settings/settings-table.js';
