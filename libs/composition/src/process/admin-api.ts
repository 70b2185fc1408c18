import type { IncomingMessage, ServerResponse } from 'node:http';
import { AdminGate, AdminModule } from '@heddle/admin';
import type { AdminPorts } from '@heddle/admin';
import {
  ACCOUNTS_PORT,
  CREDITS_PORT,
  DEPLOYMENTS_PORT,
  JOB_LIMITS_PORT,
  MODERATION_PORT,
  STORAGE_PORT,
  VALIDATION_PORT,
} from '@heddle/contracts-messages';
import { createHttpApplication, loggedTarget } from '@heddle/platform-http';
import type { INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { httpLimits } from './http-limits.js';
import type { ServiceProcess } from './service-process.js';

/** What the admin API asks on managed and dedicated, beside the registry. */
export const KEYED_ADMIN_PORTS = [
  ACCOUNTS_PORT,
  CREDITS_PORT,
  DEPLOYMENTS_PORT,
  JOB_LIMITS_PORT,
  MODERATION_PORT,
  STORAGE_PORT,
  VALIDATION_PORT,
];

/**
 * Serves the admin API on the operations port, which is open already: it has no port of its own. `token`: what each
 * call must carry.
 */
export async function serveAdminApi(service: ServiceProcess, token: string, ports: AdminPorts): Promise<void> {
  service.serveAdmin(await createAdminApi(service, token, ports));
}

/** What answers the calls of the admin API. */
export async function createAdminApi(
  service: ServiceProcess,
  token: string,
  ports: AdminPorts,
): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const { settings, logger } = service;
  const gate = new AdminGate(token, settings.opsHost);
  const app = await createHttpApplication(AdminModule.register(ports), {
    limits: httpLimits(settings),
    logger,
    tracer: null,
    guard: ({ raw }) => gate.guard(raw),
    admit: ({ headers }) => Promise.resolve(gate.admit(headers)),
    streamedBodies: new Set(),
    connections: service.ports.guard('ops'),
    bodies: service.bodies,
    observe: (request: FastifyRequest, reply: FastifyReply) => {
      const { method, id } = request;
      const [path] = loggedTarget(request.url).split('?', 1);
      logger.info({ method, path, status: reply.statusCode, requestId: id }, 'admin call');
    },
  });
  await app.init();
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await fastify.ready();
  service.onStop('admin API', () => app.close());
  return (request, response) => fastify.routing(request, response);
}

/** The ports of a running application. */
export function portsOf(app: Pick<INestApplicationContext, 'get'>, tokens: readonly symbol[]): AdminPorts {
  return new Map(tokens.map((token) => [token, app.get<object>(token)]));
}
