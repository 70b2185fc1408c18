import { pepperFileOf } from '@heddle/accounts/settings';
import { PROXY_LIMITS } from '@heddle/contracts-registry';
import { PartnerProxyModule, ProxyGate, proxyBodyBytes, readPrices } from '@heddle/partner-proxy';
import { partnerProxySettings } from '@heddle/partner-proxy/settings';
import { readPepper } from '@heddle/platform-credentials';
import { createHttpApplication, noteAddress } from '@heddle/platform-http';
import { REGISTRY_API } from '@heddle/platform-http/registry-form';
import type { FastifyInstance } from 'fastify';
import { answeredHosts } from '@heddle/gateway/settings';
import { httpLimits } from '../process/http-limits.js';
import { requestObserver } from '../process/observe-requests.js';
import type { ServiceProcess } from '../process/service-process.js';
import type { Settings } from '../settings/settings.js';
import { ANONYMOUS_SHARE } from './anonymous-share.js';
import { openProxyVendors } from './proxy-vendors.js';
import { registryGuard } from './registry-guard.js';
import type { RegistryParts } from './registry.js';
import { taskCreditsModule } from './task-credits.js';

export type ProxyParts = Pick<RegistryParts, 'database' | 'keys' | 'taskCredits' | 'guard' | 'prefix'>;

/** The partner proxy's HTTP application, which serves what the registry's port hands to it; closed at the stop of the process. */
export async function openPartnerProxy(service: ServiceProcess, parts: ProxyParts): Promise<FastifyInstance> {
  const { database, keys, taskCredits, prefix, guard: given } = parts;
  const { settings, logger, metrics } = service;
  const { surface, staticToken, authFailures, trustForwarded, publicScheme } = settings;
  const publicUrl = settings.registryPublicUrl?.replace(/\/$/, '') ?? null;
  const pepper = readPepper(pepperFileOf(settings, true), true);
  const module = PartnerProxyModule.register({
    database,
    settings: partnerProxySettings(settings, {
      ...{ surface, staticToken, authFailures, publicUrl },
      callbackHosts: [...answeredHosts(settings), ...settings.managedHosts],
      ownHosts: ownHosts(settings),
    }),
    prices: await readPrices(settings.proxyPrices),
    ...(await openProxyVendors(service)),
    pepper,
    metrics,
    logger,
    imports: [taskCreditsModule(taskCredits), ...(keys === null ? [] : [keys])],
  });
  const guard = given ?? registryGuard(settings);
  const app = await createHttpApplication(module, {
    api: REGISTRY_API,
    limits: { ...httpLimits(settings), bodyBytes: PROXY_LIMITS.bodyBytes },
    bodyBytesOf: proxyBodyBytes,
    logger,
    tracer: await service.openTracer(),
    guard: (request, reply) => {
      noteAddress(request, { publicUrl, trustForwarded, publicScheme, prefix });
      // Every answer is for its caller alone.
      void reply.header('cache-control', 'no-store');
      return guard(request, reply);
    },
    admit: (request) => gate.admit(request),
    streamedBodies: new Set(),
    connections: service.ports.guard('api'),
    bodies: service.bodies.part(ANONYMOUS_SHARE, PROXY_LIMITS.taskBodyBytes),
    observe: requestObserver(metrics, logger),
  });
  const gate = app.get(ProxyGate);
  service.onStop('partner proxy', () => app.close());
  await app.init();
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await fastify.ready();
  return fastify;
}

/** No URL of a client may lead back to this service. */
function ownHosts({ registryPublicUrl, managedHosts, allowedHosts, deploymentHost }: Settings): readonly string[] {
  const own = registryPublicUrl === null ? [] : [URL.parse(registryPublicUrl)?.hostname ?? ''];
  const domain = deploymentHost === null ? [] : [deploymentHost];
  return [...own, ...managedHosts, ...allowedHosts, ...domain].filter((host) => host !== '');
}
