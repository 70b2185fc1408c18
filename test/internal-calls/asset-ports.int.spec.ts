import { RemoteAssets, RemoteModeration, RemoteWorkerAssets } from '@heddle/internal-api';
import { assetBytes, servedAssets, servedModeration, workerAssetBytes } from '@heddle/internal-api/serve';
import { describeAssetPorts } from './asset-ports.suite.js';
import { tokenOf } from './call-servers.js';
import { bytesTo, channelTo, servingCalls } from './grpc-servers.js';

describeAssetPorts('in one process', ({ assets, workerAssets: worker, moderation }) =>
  Promise.resolve({ assets, worker, moderation, close: () => Promise.resolve() }),
);

describeAssetPorts('over gRPC and HTTP', async (local) => {
  const bytes = [...assetBytes(local.assets), ...workerAssetBytes(local.workerAssets)];
  const server = await servingCalls([...servedAssets(local.assets), ...servedModeration(local.moderation)], { bytes });
  const channel = channelTo('assets', [server.url]);
  const gateway = bytesTo('assets', [server.url]);
  const worker = bytesTo('assets', [server.url], { token: tokenOf('worker') });
  const close = async (): Promise<void> => {
    await Promise.all([channel.close(), gateway.close(), worker.close()]);
    await server.close();
  };
  const moderation = new RemoteModeration(channel);
  return { assets: new RemoteAssets(channel, gateway), worker: new RemoteWorkerAssets(worker), moderation, close };
});
