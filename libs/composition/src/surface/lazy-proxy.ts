import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { leftWorkSql, PARTNER_PROXY_ROLE } from '@heddle/partner-proxy/schema';
import { mountApi, pathOf } from '@heddle/platform-http';
import { REGISTRY_API } from '@heddle/platform-http/registry-form';
import type { FastifyInstance } from 'fastify';
import type { ServiceProcess } from '../process/service-process.js';
import { LazyPart } from './lazy-part.js';
import type { ProxyParts } from './partner-proxy.js';

/** Path of the partner proxy at the address of the registry. */
const PROXY = '/proxy';

/** Nothing of the partner proxy is loaded before its first request, unless an earlier process left work, or tasks past their retention. */
export class LazyProxy {
  readonly #proxy: LazyPart<FastifyInstance>;
  readonly #retentionMs: number;

  constructor(
    service: ServiceProcess,
    private readonly parts: ProxyParts,
  ) {
    const open = async (): Promise<FastifyInstance> =>
      await (await import('./partner-proxy.js')).openPartnerProxy(service, parts);
    this.#retentionMs = service.settings.proxyRetention * 1_000;
    this.#proxy = new LazyPart(service, open, 'partner proxy');
  }

  /** On a port of the registry's own. */
  mountOn(server: Server): void {
    const mount = { prefix: PROXY, keepsPrefix: true, api: REGISTRY_API };
    mountApi(server, mount, (request, response) => this.serve(request, response));
  }

  /** Whether a target below the registry's address is the proxy's. */
  owns(target: string): boolean {
    return pathOf(target).startsWith(`${PROXY}/`);
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const form = (message: string): object => ({ error: 'upstream_error', message, details: [message] });
    this.#proxy.serve((fastify) => fastify.routing(request, response), response, form);
  }

  goOn(): void {
    const pool = this.parts.database.pool(PARTNER_PROXY_ROLE);
    this.#proxy.goOn(async () => (await pool.query(leftWorkSql, [this.#retentionMs])).rowCount !== 0);
  }
}
