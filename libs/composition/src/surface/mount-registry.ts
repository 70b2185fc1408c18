import type { IncomingMessage, ServerResponse } from 'node:http';
import { mountApi } from '@heddle/platform-http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { ServiceProcess } from '../process/service-process.js';
import type { RegistryParts } from './registry.js';

/** Path of the registry at the origin of the API. */
const PREFIX = '/registry';

/** Bytes that nobody has looked into, after a crash. */
const WAITS_SQL = 'select exists (select from registry.version where waits) as waits';

/**
 * Serves the registry below `/registry` of an API. Nothing of it is loaded before its first request, unless an earlier
 * process left versions that wait for their inspection.
 */
export async function mountRegistry(
  service: ServiceProcess,
  api: NestFastifyApplication,
  parts: Omit<RegistryParts, 'prefix'>,
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
      (error: unknown) => refuse(service, error, request, response),
    );
  });
  const { rows } = await parts.database.pool('heddle_registry').query<{ waits: boolean }>(WAITS_SQL);
  if (rows[0]!.waits) await open();
}

async function openRegistry(service: ServiceProcess, parts: Omit<RegistryParts, 'prefix'>): Promise<FastifyInstance> {
  const { createRegistryApi } = await import('./registry.js');
  const app = await createRegistryApi(service, { ...parts, prefix: PREFIX });
  await app.init();
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await fastify.ready();
  return fastify;
}

function refuse({ logger }: ServiceProcess, error: unknown, _: IncomingMessage, response: ServerResponse): void {
  logger.error({ err: error }, 'the registry did not start');
  const message = 'The registry could not be started. The log of the service names the cause.';
  response.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error: 'upstream_error', message }));
}
