import type { FastifyReply } from 'fastify';
import { startPageHtml, startPageJson, wantsHtml } from './start-page.js';
import type { StartPage } from './start-page.js';

/** Sends the page in the form that the client accepts. */
export function sendStartPage(reply: FastifyReply, accept: string | undefined, page: StartPage): void {
  const html = wantsHtml(accept);
  void reply
    .header('content-type', html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    .header('vary', 'accept')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .header('x-content-type-options', 'nosniff')
    .send(html ? startPageHtml(page) : startPageJson(page));
}
