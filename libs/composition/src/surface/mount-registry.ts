import type { ServerResponse } from 'node:http';
import { KEY_CHECK } from '@heddle/contracts-messages';
import type { KeyCheck } from '@heddle/contracts-messages';
import { mountApi } from '@heddle/platform-http';
import type { HttpApplicationOptions } from '@heddle/platform-http';
import { REGISTRY_ROLE } from '@heddle/registry/schema';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Database } from '@heddle/platform-database';
import type { ServiceProcess } from '../process/service-process.js';

export interface StandaloneRegistry {
  readonly database: Pick<Database, 'pool'>;
  /** Null: everybody who may call is the account of the self-hosted surface. */
  readonly keys: KeyCheck | null;
  /** Of the API at whose origin the registry is. */
  readonly guard: HttpApplicationOptions['guard'];
}

/** Path of the registry at the origin of the API. */
const PREFIX = '/registry';

/** Bytes that nobody has looked into, after a crash. */
const WAITS_SQL = 'select exists (select from registry.version where waits) as waits';

/** Serves the registry below `/registry` of the API, or on a port of its own, which a line on standard output names. */
export async function serveRegistry(
  service: ServiceProcess,
  api: NestFastifyApplication,
  parts: StandaloneRegistry,
): Promise<void> {
  if (service.settings.registryPort === null) return await mountRegistry(service, api, parts);
  const { createRegistryApi, listenForRegistry } = await import('./registry.js');
  const { database, keys } = parts;
  const app = await createRegistryApi(service, { database, keys: keysModule(keys), guard: null, prefix: '' });
  const url = await listenForRegistry(service, app);
  process.stdout.write(`heddle registry ready ${url}\n`);
}

/**
 * Nothing of the registry is loaded before its first request, unless an earlier process left versions that wait for their
 * inspection.
 */
async function mountRegistry(
  service: ServiceProcess,
  api: NestFastifyApplication,
  parts: StandaloneRegistry,
): Promise<void> {
  let opened: Promise<FastifyInstance> | null = null;
  const open = (): Promise<FastifyInstance> => {
    opened ??= openRegistry(service, parts);
    // The next request tries again.
    opened.catch(() => (opened = null));
    return opened;
  };
  mountApi(api.getHttpServer(), PREFIX, (request, response) => {
    open().then(
      (fastify) => fastify.routing(request, response),
      (error: unknown) => refuse(service, error, response),
    );
  });
  const { rows } = await parts.database.pool(REGISTRY_ROLE).query<{ waits: boolean }>(WAITS_SQL);
  if (rows[0]!.waits) await open();
}

async function openRegistry(
  service: ServiceProcess,
  { database, keys, guard }: StandaloneRegistry,
): Promise<FastifyInstance> {
  const { createRegistryApi } = await import('./registry.js');
  const app = await createRegistryApi(service, { database, keys: keysModule(keys), guard, prefix: PREFIX });
  await app.init();
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await fastify.ready();
  return fastify;
}

/** The check of keys that the gateway of this process uses. */
class KeysModule {}

function keysModule(keys: KeyCheck | null): DynamicModule | null {
  if (keys === null) return null;
  return { module: KeysModule, providers: [{ provide: KEY_CHECK, useValue: keys }], exports: [KEY_CHECK] };
}

function refuse({ logger }: ServiceProcess, error: unknown, response: ServerResponse): void {
  logger.error({ err: error }, 'the registry did not start');
  const message = 'The registry could not be started. The log of the service names the cause.';
  response.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error: 'upstream_error', message }));
}
