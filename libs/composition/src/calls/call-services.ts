import { RemotePeers, REPEATABLE_CALLS } from '@heddle/internal-api';
import { BytesClient } from '@heddle/platform-service-calls/bytes';
import { ServiceChannel } from '@heddle/platform-service-calls/call';
import type { MadeCall } from '@heddle/platform-service-calls';
import type { Tracer } from '@heddle/platform-telemetry';
import type { PeersPort } from '@heddle/contracts-messages';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '@heddle/platform-settings';
import { bytesUrls } from './bytes-urls.js';
import { refusePlainTargets } from './plain-calls.js';
import { renewedCallsTls } from './renew-tls.js';
import { serviceTokenOf } from './service-token.js';
import { PROCESS_METRICS } from '../metrics.js';

const ADDRESSES = {
  jobs: 'jobsUrls',
  assets: 'assetsUrls',
  validation: 'validationUrls',
  logs: 'logsUrls',
  registry: 'registryUrls',
} as const;

/** Time-out of a readiness probe of another service */
const PROBE_MS = 1_500;

/** Two ways to call a service: gRPC, and HTTP for bytes. */
export interface ServiceCaller {
  readonly channel: ServiceChannel;
  readonly bytes: BytesClient;
}

/** Connects to another service at the addresses of the settings. */
export function callerOf(
  service: ServiceProcess,
  called: keyof typeof ADDRESSES,
  tracer: Tracer | null = null,
): ServiceCaller {
  const targets = service.settings[ADDRESSES[called]];
  if (targets.length === 0) {
    throw new SettingRefused(
      `HEDDLE_${called.toUpperCase()}_URLS is unset: the ${service.name} service calls the ${called} service`,
    );
  }
  refusePlainTargets(service.settings, `HEDDLE_${called.toUpperCase()}_URLS`, targets);
  const channel = newChannel(service, called, targets, tracer);
  const bytes =
    called === 'assets' ? bytesOfAssets(service, tracer) : new BytesClient(reach(service, called, targets, tracer));
  service.onStop(`calls to ${called}`, () => Promise.all([channel.close(), bytes.close()]));
  // Optional: the process serves everything else, and answers requests that need the service with an error.
  service.addReadiness({ name: `${called} service`, optional: true, check: () => channel.probe(PROBE_MS) });
  return { channel, bytes };
}

/** Bytes of assets have a port of their own, which the previous version does not serve. */
function bytesOfAssets(service: ServiceProcess, tracer: Tracer | null): BytesClient {
  const targets = bytesUrls(service.settings);
  refusePlainTargets(service.settings, 'HEDDLE_ASSETS_BYTES_URLS', targets);
  return new BytesClient({
    ...reach(service, 'assets', targets, tracer),
    formerTargets: service.settings.assetsUrls,
  });
}

/** Limit on channels to replicas, whose addresses change. The least recently used channel is closed. */
const MAX_PEERS = 64;

/** Calls another replica of the jobs service at the address that it published. `instanceId`: name of this replica. */
export function peerConnector(service: ServiceProcess, instanceId: string): (address: string) => PeersPort {
  const channels = new Map<string, ServiceChannel>();
  service.onStop('calls to peers', () => Promise.all([...channels.values()].map((channel) => channel.close())));
  return (address) => {
    const channel = channels.get(address) ?? newChannel(service, 'jobs', [address], null);
    channels.delete(address);
    channels.set(address, channel);
    const [oldest] = channels;
    if (channels.size > MAX_PEERS && oldest !== undefined) {
      channels.delete(oldest[0]);
      void oldest[1].close();
    }
    return new RemotePeers(channel, instanceId);
  };
}

function newChannel(...reached: Reached): ServiceChannel {
  return new ServiceChannel({
    ...reach(...reached),
    repeatable: REPEATABLE_CALLS,
    maxBodyBytes: reached[0].settings.bodyBytes,
  });
}

type Reached = readonly [service: ServiceProcess, called: string, targets: readonly string[], tracer: Tracer | null];

function reach(...[service, called, targets, tracer]: Reached) {
  const tokenFor = serviceTokenOf(service.settings);
  const token = (): string => tokenFor(called);
  // A missing token fails the start, not the first call.
  token();
  const seconds = service.metrics.histogram(PROCESS_METRICS.madeCallSeconds);
  const observe = ({ path, outcome, ms }: MadeCall): void => seconds.observe({ path, outcome }, ms / 1000);
  return { service: called, targets, token, tls: renewedCallsTls(service), tracer, observe };
}
