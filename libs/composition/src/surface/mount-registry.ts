import { ACCOUNTS_PORT, KEY_CHECK, REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { AccountsPort, KeyCheck, RegistryAdminPort, TaskCreditsPort } from '@heddle/contracts-messages';
import { mountApi } from '@heddle/platform-http';
import type { HttpApplicationOptions } from '@heddle/platform-http';
import { REGISTRY_API } from '@heddle/platform-http/registry-form';
import { leftWorkSql, REGISTRY_ROLE } from '@heddle/registry/schema';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Database } from '@heddle/platform-database';
import type { ServiceProcess } from '../process/service-process.js';
import { LazyProxy } from './lazy-proxy.js';
import { LazyPart } from './lazy-part.js';
import { assertProxySettings } from './proxy-vendors.js';
import { assertRegistryUrl } from './registry-guard.js';
import { openSigningKeys } from './registry-signing-keys.js';
import { reservedNodes } from './reserved-nodes.js';

/** What the registry asks of the accounts of this process. */
interface KnownAccounts {
  readonly keys: KeyCheck;
  readonly names: AccountsPort;
}

interface StandaloneRegistry {
  readonly database: Pick<Database, 'pool'>;
  /** Null: everybody who may call is the account of the self-hosted surface. */
  readonly accounts: KnownAccounts | null;
  /** The ledger of this process; null: the surface takes no credits. */
  readonly taskCredits: TaskCreditsPort | null;
  /** Of the API at whose origin the registry is. */
  readonly guard: HttpApplicationOptions['guard'];
}

/** Path of the registry at the origin of the API. */
const PREFIX = '/registry';

/**
 * Serves the registry below `/registry` of the API, or on a port of its own, which a line on standard output names. Resolves
 * with the operator's calls, which open it too.
 */
export async function serveRegistry(
  service: ServiceProcess,
  api: NestFastifyApplication,
  parts: StandaloneRegistry,
): Promise<RegistryAdminPort> {
  assertRegistryUrl(service.settings);
  await reservedNodes(service.settings);
  await assertProxySettings(service.settings);
  // A file that cannot be used ends the start, not the first request.
  if (service.settings.registrySigningKeys !== null) await openSigningKeys(service.settings, true);
  if (service.settings.registryPort === null) return mountRegistry(service, api, parts);
  const { createRegistryApi, listenForRegistry } = await import('./registry.js');
  const { database, accounts, taskCredits } = parts;
  const own = { database, keys: accountsOf(accounts), taskCredits, guard: null, prefix: '', mayMakeKeys: true };
  const proxy = new LazyProxy(service, own);
  const app = await createRegistryApi(service, { ...own, openProxy: () => proxy.goOn() });
  proxy.mountOn(app.getHttpServer());
  proxy.goOn();
  const url = await listenForRegistry(service, app);
  process.stdout.write(`heddle registry ready ${url}\n`);
  return app.get<RegistryAdminPort>(REGISTRY_ADMIN_PORT);
}

/**
 * Nothing of the registry is loaded before its first request, unless an earlier process left work: versions that wait for
 * their inspection or for late bytes, or uploads that a crash cut off.
 */
function mountRegistry(
  service: ServiceProcess,
  api: NestFastifyApplication,
  parts: StandaloneRegistry,
): RegistryAdminPort {
  const { database, accounts, taskCredits, guard } = parts;
  const proxy = new LazyProxy(service, { database, keys: accountsOf(accounts), taskCredits, guard, prefix: PREFIX });
  proxy.goOn();
  const registry = new LazyPart(service, () => openRegistry(service, parts, proxy), 'registry');
  const mount = { prefix: PREFIX, keepsPrefix: false, api: REGISTRY_API };
  mountApi(api.getHttpServer(), mount, (request, response) => {
    if (proxy.owns(request.url ?? '')) return proxy.serve(request, response);
    const form = (message: string): object => ({ error: 'upstream_error', message });
    registry.serve(({ fastify }) => fastify.routing(request, response), response, form);
  });
  const pool = database.pool(REGISTRY_ROLE);
  registry.goOn(async () => (await pool.query(leftWorkSql)).rowCount !== 0);
  return lazyAdmin(async () => (await registry.get()).admin);
}

interface OpenRegistry {
  readonly fastify: FastifyInstance;
  readonly admin: RegistryAdminPort;
}

async function openRegistry(
  service: ServiceProcess,
  { database, accounts, taskCredits, guard }: StandaloneRegistry,
  proxy: LazyProxy,
): Promise<OpenRegistry> {
  const { createRegistryApi } = await import('./registry.js');
  const mounted = { database, keys: accountsOf(accounts), taskCredits, guard, prefix: PREFIX, mayMakeKeys: true };
  const app = await createRegistryApi(service, { ...mounted, openProxy: () => proxy.goOn() });
  await app.init();
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await fastify.ready();
  return { fastify, admin: app.get<RegistryAdminPort>(REGISTRY_ADMIN_PORT) };
}

/** The operator's calls to a registry that the first of them may have to open. */
function lazyAdmin(admin: () => Promise<RegistryAdminPort>): RegistryAdminPort {
  return {
    ban: async (...given) => (await admin()).ban(...given),
    unban: async (...given) => (await admin()).unban(...given),
    review: async (...given) => (await admin()).review(...given),
    rescan: async (...given) => (await admin()).rescan(...given),
    setRanks: async (...given) => (await admin()).setRanks(...given),
    release: async (...given) => (await admin()).release(...given),
    queue: async (...given) => (await admin()).queue(...given),
    events: async (...given) => (await admin()).events(...given),
    setClasses: async (...given) => (await admin()).setClasses(...given),
    redeliver: async (...given) => (await admin()).redeliver(...given),
  };
}

class KnownAccountsModule {}

/** The accounts that the gateway of this process uses. */
function accountsOf(accounts: KnownAccounts | null): DynamicModule | null {
  if (accounts === null) return null;
  const providers = [
    { provide: KEY_CHECK, useValue: accounts.keys },
    { provide: ACCOUNTS_PORT, useValue: accounts.names },
  ];
  return { module: KnownAccountsModule, providers, exports: [KEY_CHECK, ACCOUNTS_PORT] };
}
