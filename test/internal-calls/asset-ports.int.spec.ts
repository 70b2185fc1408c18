import { RemoteAssets, RemoteWorkerAssets, serveAssets } from '@heddle/internal-api';
import { describeAssetPorts } from './asset-ports.suite.js';
import { clientOf, listening, tokenOf } from './call-servers.js';

describeAssetPorts('in one process', ({ assets, workerAssets: worker }) =>
  Promise.resolve({ assets, worker, close: () => Promise.resolve() }),
);

describeAssetPorts('over the wire', async (local) => {
  const server = await listening((routes) => serveAssets(routes, local));
  const gateway = clientOf('assets', [server.url]);
  const worker = clientOf('assets', [server.url], { token: tokenOf('worker') });
  const close = async (): Promise<void> => {
    await Promise.all([gateway.close(), worker.close()]);
    await server.close(0);
  };
  return { assets: new RemoteAssets(gateway), worker: new RemoteWorkerAssets(worker), close };
});
