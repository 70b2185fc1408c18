import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { CertificateFiles } from './certificates.ts';

const TIMEOUT_MS = 10_000;

/** The API server without kubectl, for loops: a process for each request would cost more than the request. */
export class KubeApi {
  readonly #server: string;
  readonly #agent: Agent;

  constructor(server: string, authority: string, client: CertificateFiles) {
    this.#server = server;
    const [ca, cert, key] = [authority, client.certificate, client.key].map((file) => readFileSync(file));
    this.#agent = new Agent({ ca, cert, key, keepAlive: true, maxSockets: 8 });
  }

  /** Rejects for an answer that is no success, with its status in the text. */
  async ask(method: string, path: string, body?: object): Promise<unknown> {
    return await new Promise((done, fail) => {
      const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
      const content = body === undefined ? '' : JSON.stringify(body);
      // Node sends no length with the body of a DELETE, which is then not read.
      const headers = { 'content-type': type, 'content-length': Buffer.byteLength(content) };
      const options = { method, agent: this.#agent, headers, timeout: TIMEOUT_MS };
      const asked = request(`${this.#server}${path}`, options, (answer) => {
        text(answer).then((said) => {
          const { statusCode = 0 } = answer;
          if (statusCode < 300) done(JSON.parse(said));
          else fail(new Error(`${method} ${path}: ${statusCode} ${said.slice(0, 500)}`));
        }, fail);
      });
      asked.once('timeout', () => asked.destroy(new Error(`${method} ${path}: no answer`))).once('error', fail);
      asked.end(content);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
