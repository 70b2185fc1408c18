import { empty } from '../http/answer.js';
import type { HttpRoute } from '../http/route-table.js';
import type { SocketHub } from './socket-hub.js';

/** A client with an open connection subscribes to the log of the whole engine (engine.md 2). */
export function logRoutes(hub: SocketHub): HttpRoute[] {
  return [
    {
      method: 'PATCH',
      path: '/internal/logs/subscribe',
      twin: false,
      handle: async (call) => {
        const { clientId, enabled } = await call.jsonBody();
        if (typeof clientId !== 'string') throw new TypeError('there is no clientId');
        hub.subscribeToLog(clientId, enabled === true);
        return empty(200);
      },
    },
  ];
}
