import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { anyOpenTaskSql, PARTNER_PROXY_ROLE } from '@heddle/partner-proxy/schema';
import { mountApi } from '@heddle/platform-http';
import type { FastifyInstance } from 'fastify';
import type { ServiceProcess } from '../process/service-process.js';
import type { ProxyParts } from './partner-proxy.js';

export { assertProxySettings } from './proxy-vendors.js';

/** Path of the partner proxy at the address of the registry. */
const PROXY = '/proxy';

/** Nothing of the partner proxy is loaded before its first request, unless an earlier process left tasks under way. */
export class LateProxy {
  #opened: Promise<FastifyInstance> | null = null;

  constructor(
    private readonly service: ServiceProcess,
    private readonly parts: ProxyParts,
  ) {}

  /** On a port of the registry's own. */
  mountOn(server: Server): void {
    mountApi(server, PROXY, (request, response) => {
      request.url = PROXY + (request.url ?? '');
      this.serve(request, response);
    });
  }

  /** Whether a target below the registry's address is the proxy's. */
  owns(target: string): boolean {
    return target.startsWith(`${PROXY}/`);
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.#open().then(
      (fastify) => fastify.routing(request, response),
      (error: unknown) => {
        this.service.logger.error({ err: error }, 'the partner proxy did not start');
        const message = 'The partner proxy could not be started. The log of the service names the cause.';
        response.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
        response.end(JSON.stringify({ error: 'upstream_error', message, details: [message] }));
      },
    );
  }

  /** Beside the start, which it must not delay or fail. */
  goOn(): void {
    this.parts.database
      .pool(PARTNER_PROXY_ROLE)
      .query(anyOpenTaskSql)
      .then(async ({ rowCount }) => void (rowCount !== 0 && (await this.#open())))
      .catch((error: unknown) =>
        this.service.logger.warn({ err: error }, 'it is unknown whether tasks of partner vendors are under way'),
      );
  }

  #open(): Promise<FastifyInstance> {
    this.#opened ??= import('./partner-proxy.js').then(({ openPartnerProxy }) =>
      openPartnerProxy(this.service, this.parts),
    );
    // The next request tries again.
    this.#opened.catch(() => (this.#opened = null));
    return this.#opened;
  }
}
