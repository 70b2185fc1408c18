import type { AddressInfo } from 'node:net';
import { pepperFileOf } from '@heddle/accounts/settings';
import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { CredentialDigest, readPepper } from '@heddle/platform-credentials';
import { LocalProxyAdmin } from '@heddle/partner-proxy/admin';
import { PARTNER_PROXY_ROLE } from '@heddle/partner-proxy/schema';
import type { TaskCreditsPort } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import { createHttpApplication, noteAddress } from '@heddle/platform-http';
import type { HttpApplicationOptions } from '@heddle/platform-http';
import { REGISTRY_API } from '@heddle/platform-http/registry-form';
import type { MessageBus } from '@heddle/platform-message-bus';
import { RegistryGate, RegistryModule, VersionSigner } from '@heddle/registry';
import { registrySettings } from '@heddle/registry/settings';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { listening } from '../process/listen.js';
import { urlOf } from '../process/listen-address.js';
import { openStore } from '../connect/open-store.js';
import { REGISTRY_BLOBS, registryUploads } from '../connect/registry-folders.js';
import { httpLimits } from '../process/http-limits.js';
import { ANONYMOUS_SHARE } from './anonymous-share.js';
import { registryGuard } from './registry-guard.js';
import { reservedNodes } from './reserved-nodes.js';
import { openSigningKeys } from './registry-signing-keys.js';
import { requestObserver } from '../process/observe-requests.js';
import type { ServiceProcess } from '../process/service-process.js';

export interface RegistryParts {
  readonly database: Pick<Database, 'pool'>;
  /** Provides KEY_CHECK and ACCOUNTS_PORT; null: everybody who may call is the account of the self-hosted surface. */
  readonly keys: DynamicModule | null;
  /** The ledger; null: the surface takes no credits. */
  readonly taskCredits: TaskCreditsPort | null;
  /**
   * What is checked before routing, as for the API of the same origin; null: hosts and pages, for a port of its own.
   */
  readonly guard: HttpApplicationOptions['guard'] | null;
  /** Path of the registry at its origin; "" on a port of its own. */
  readonly prefix: string;
  /** Standalone creates missing keys; replicas of a cluster must be given the same ones. */
  readonly mayMakeKeys: boolean;
  /** Absent: no other process reads the events. */
  readonly bus?: MessageBus;
  /** Opens the partner proxy of this process if it has work. */
  openProxy(): void;
}

const STORE = { folder: REGISTRY_BLOBS, prefix: 'registry/', name: 'blob store of the registry' };

/** The registry's HTTP application, which listens nowhere yet; closed at the stop of the process. */
export async function createRegistryApi(
  service: ServiceProcess,
  { database, keys, guard: given, prefix, mayMakeKeys, bus, openProxy }: RegistryParts,
): Promise<NestFastifyApplication> {
  const { settings, logger, metrics } = service;
  const own = registrySettings(settings, {
    surface: settings.surface,
    staticToken: settings.staticToken,
    authFailures: settings.authFailures,
    trustForwarded: settings.trustForwarded,
    publicScheme: settings.publicScheme,
    slowBodyBytesPerSecond: settings.slowBodyRate,
    slowBodyMs: settings.slowBodyWindow * 1_000,
    prefix,
    uploadFolder: registryUploads(settings.data),
    reserved: await reservedNodes(settings),
  });
  const module = RegistryModule.register({
    database,
    store: await openStore(service, null, STORE),
    settings: own,
    signer: new VersionSigner((await openSigningKeys(settings, mayMakeKeys)).keys),
    digest: new CredentialDigest(readPepper(pepperFileOf(settings, true), true)),
    logger,
    metrics,
    ...(bus === undefined ? {} : { bus }),
    proxy: new LocalProxyAdmin(database.pool(PARTNER_PROXY_ROLE), openProxy),
    imports: keys === null ? [] : [keys],
  });
  const guard = given ?? registryGuard(settings);
  const app = await createHttpApplication(module, {
    api: REGISTRY_API,
    limits: { ...httpLimits(settings), bodyBytes: REGISTRY_LIMITS.bodyBytes },
    logger,
    tracer: await service.openTracer(),
    guard: (request, reply) => {
      noteAddress(request, own);
      return guard(request, reply);
    },
    admit: (request) => gate.admit(request),
    streamedBodies: new Set(['PUT /uploads/:version']),
    repeatable: new Set(['POST /bulk/nodes/versions']),
    connections: service.ports.guard('api'),
    bodies: service.bodies.part(ANONYMOUS_SHARE, REGISTRY_LIMITS.bodyBytes),
    observe: requestObserver(metrics, logger),
  });
  const gate = app.get(RegistryGate);
  service.onStop('registry', () => app.close());
  return app;
}

/** Accepts requests on a port of its own. Resolves with the URL of the registry. */
export async function listenForRegistry({ settings }: ServiceProcess, app: NestFastifyApplication): Promise<string> {
  const wanted = settings.registryPort ?? 0;
  await listening('HEDDLE_REGISTRY_PORT', wanted, () => app.listen(wanted, settings.host));
  const { port } = app.getHttpServer().address() as AddressInfo;
  return urlOf(settings.host, port);
}
