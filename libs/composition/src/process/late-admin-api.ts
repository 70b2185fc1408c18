import type { IncomingMessage, ServerResponse } from 'node:http';
import { REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { notedAdminToken } from './admin-note.js';
import type { ServiceProcess } from './service-process.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The admin API of the self-hosted surface, which has the registry alone. Nothing of it is loaded before its first call:
 * few who start Heddle on their machine moderate.
 */
export function serveAdminApiLate(service: ServiceProcess, registry: RegistryAdminPort): void {
  const token = notedAdminToken(service);
  let opened: Promise<Handler> | null = null;
  const open = async (): Promise<Handler> => {
    const { createAdminApi } = await import('./admin-api.js');
    return await createAdminApi(service, token, new Map([[REGISTRY_ADMIN_PORT, registry]]));
  };
  service.serveAdmin((request, response) => {
    opened ??= open();
    opened.then(
      (handler) => handler(request, response),
      (error: unknown) => {
        opened = null;
        service.logger.error({ err: error }, 'the admin API did not start');
        response.writeHead(500).end();
      },
    );
  });
}
