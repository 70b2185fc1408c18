import { RemotePeers } from '@heddle/internal-api';
import { ServiceClient } from '@heddle/platform-service-calls';
import type { PeersPort } from '@heddle/contracts-messages';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '../settings/setting-kinds.js';
import { callsTls } from './serve-calls.js';
import { serviceTokenOf } from './service-token.js';

const ADDRESSES = { jobs: 'jobsUrls', assets: 'assetsUrls', validation: 'validationUrls', logs: 'logsUrls' } as const;

/** A client for another service, at the addresses of the settings. */
export function callerOf(service: ServiceProcess, called: keyof typeof ADDRESSES): ServiceClient {
  const targets = service.settings[ADDRESSES[called]];
  if (targets.length === 0) {
    throw new SettingRefused(
      `HEDDLE_${called.toUpperCase()}_URLS is unset: the ${service.name} service calls the ${called} service`,
    );
  }
  return clientAt(service, called, targets);
}

/** Calls another replica of the jobs service by the address that it told. `instanceId` is this replica's name. */
export function peerConnector(service: ServiceProcess, instanceId: string): (address: string) => PeersPort {
  return (address) => new RemotePeers(clientAt(service, 'jobs', [address]), instanceId);
}

function clientAt(service: ServiceProcess, called: string, targets: readonly string[]): ServiceClient {
  const token = serviceTokenOf(service.settings);
  // What cannot work is told at the start, not with the first call.
  token();
  const client = new ServiceClient({ service: called, targets, token, tls: callsTls(service.settings) });
  service.onStop(() => client.close());
  return client;
}
