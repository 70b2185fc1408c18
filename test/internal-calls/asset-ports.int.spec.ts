import { RemoteAssets, RemoteWorkerAssets, serveAssets } from '@heddle/internal-api';
import { servedAssets } from '@heddle/internal-api/serve';
import { describeAssetPorts } from './asset-ports.suite.js';
import { clientOf, tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';

describeAssetPorts('in one process', ({ assets, workerAssets: worker }) =>
  Promise.resolve({ assets, worker, close: () => Promise.resolve() }),
);

describeAssetPorts('over gRPC and HTTP', async (local) => {
  const server = await servingCalls(servedAssets(local.assets), { serve: (routes) => serveAssets(routes, local) });
  const channel = channelTo('assets', [server.url]);
  const gateway = clientOf('assets', [server.url]);
  const worker = clientOf('assets', [server.url], { token: tokenOf('worker') });
  const close = async (): Promise<void> => {
    await Promise.all([channel.close(), gateway.close(), worker.close()]);
    await server.close();
  };
  return { assets: new RemoteAssets(channel, gateway), worker: new RemoteWorkerAssets(worker), close };
});
