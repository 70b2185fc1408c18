import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { HttpApi } from './http-api.js';
import { pathOf } from '../requests/target-path.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Mount {
  /** Path of the requests, such as `/registry`. */
  readonly prefix: string;
  /** Whether the API sees the prefix too. */
  readonly keepsPrefix: boolean;
  /** How what the server's parser refuses there is answered. */
  readonly api: HttpApi;
}

/** How what cannot be read is refused: the form, and the target that it sees. */
export interface RefusalPlace {
  readonly api: HttpApi;
  readonly target: string;
}

const MOUNTS = Symbol('mounts');
const API = Symbol('api');

/** Hands requests below a path to another API. Connections, and what bounds them, stay those of the server. */
export function mountApi(server: Server, mount: Mount, handle: Handler): void {
  const others = server.listeners('request') as Handler[];
  Reflect.set(server, MOUNTS, [...mountsOf(server), mount]);
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const target = targetOn(mount, request.url ?? '');
    if (target === null) {
      for (const other of others) other.call(server, request, response);
      return;
    }
    request.url = target;
    // Before anything is awaited: the parser may refuse the rest of the same packet.
    Reflect.set(request, API, mount.api);
    handle(request, response);
  });
}

/** Of a target on a server whose own API is `own`. */
export function targetPlace(server: Server, own: HttpApi, target: string): RefusalPlace {
  for (const mount of mountsOf(server)) {
    const seen = targetOn(mount, target);
    if (seen !== null) return { api: mount.api, target: seen };
  }
  return { api: own, target };
}

/** Of a request whose head was read, and which `mountApi` may have handed over. */
export function requestPlace(own: HttpApi, request: IncomingMessage): RefusalPlace {
  return { api: (Reflect.get(request, API) as HttpApi | undefined) ?? own, target: request.url ?? '' };
}

function mountsOf(server: Server): readonly Mount[] {
  return (Reflect.get(server, MOUNTS) as readonly Mount[] | undefined) ?? [];
}

/** A target as the API of a mount sees it; null if it is not below its prefix. */
function targetOn({ prefix, keepsPrefix }: Mount, target: string): string | null {
  const path = pathOf(target);
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  if (rest !== '' && !rest.startsWith('/') && !rest.startsWith('?')) return null;
  if (keepsPrefix) return target;
  // One in absolute form stays so: every API refuses it.
  const origin = target.slice(0, target.length - path.length);
  return origin + (rest.startsWith('/') ? rest : `/${rest}`);
}
