import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Hands requests below a path, such as `/registry`, to another API, which sees the rest of the path. Connections, and what
 * bounds them, stay those of the server.
 */
export function mountApi(server: Server, prefix: string, handle: Handler): void {
  const others = server.listeners('request') as Handler[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const rest = restBelow(prefix, request.url ?? '');
    if (rest === null) {
      for (const other of others) other.call(server, request, response);
      return;
    }
    request.url = rest;
    handle(request, response);
  });
}

/** The target below a prefix; null if it is not below it. */
function restBelow(prefix: string, target: string): string | null {
  if (!target.startsWith(prefix)) return null;
  const rest = target.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : null;
}
