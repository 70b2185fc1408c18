import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedScan {
  readonly hash: string;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** The body of a 200, a status, `hang` for no answer at all, `early` for a verdict before the bytes are read. */
export type ScriptedAnswer = string | number | 'hang' | 'early';

export interface Scanner {
  readonly url: URL;
  readonly received: readonly ReceivedScan[];
  /** Requests that came so far, for one hash or all, answered or not. */
  asked(hash?: string): number;
  close(): Promise<void>;
}

/** A scanner as an HTTP server of its own, which answers as the script says. */
export async function startScanner(
  script: (hash: string) => ScriptedAnswer = () => '{"verdict":"clean"}',
  port = 0,
): Promise<Scanner> {
  const received: ReceivedScan[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const hash = String(request.headers['x-heddle-hash']);
    asked.push(hash);
    const answer = script(hash);
    if (answer === 'hang') return;
    if (answer === 'early') {
      response.end('{"verdict":"blocked"}');
      return void request.resume();
    }
    void buffer(request).then((bytes) => {
      received.push({ hash, contentType: request.headers['content-type'], bytes });
      response.statusCode = typeof answer === 'number' ? answer : 200;
      response.end(typeof answer === 'number' ? '{"verdict":"blocked"}' : answer);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/scan`),
    received,
    asked: (hash) => asked.filter((one) => hash === undefined || one === hash).length,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
