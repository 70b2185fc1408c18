import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CallbackSender } from './callback-sender.js';
import { imageProtocol } from './image-protocol.js';
import { VendorRoutes } from './vendor-routes.js';
import { videoProtocol } from './video-protocol.js';

/** Calls that hang on demand count too. */
const MAX_CONNECTIONS = 2_000;
/** Far beyond the time limit of the proxy: a call that hangs is ended by its caller. */
const HANG_MS = 600_000;

interface SimulatedVendorOptions {
  readonly videoKey: string;
  readonly imageKey: string;
  /** Signs the callbacks of the image vendor. */
  readonly imageWebhookSecret: string;
  /** Absent: a free port of loopback. */
  readonly port?: number;
}

export interface SimulatedVendor {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves both vendors on a port of loopback. It holds no tasks: they follow from their ids. */
export async function startSimulatedVendor(options: SimulatedVendorOptions): Promise<SimulatedVendor> {
  const callbacks = new CallbackSender();
  const protocols = [videoProtocol(options.videoKey), imageProtocol(options.imageKey, options.imageWebhookSecret)];
  const routes = new VendorRoutes(protocols, callbacks);
  const server = createServer((request, response) => {
    response.setTimeout(HANG_MS, () => response.destroy());
    // What is thrown here is a defect of the simulation; the caller sees a vendor that hangs up.
    routes.answer(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(options.port ?? 0, '127.0.0.1', done);
  });
  // The process lives for its own reasons.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await Promise.all([closed, callbacks.close()]);
    },
  };
}
