import { tokenOf } from './call-servers.js';
import { describeWorkPort } from './work-port.suite.js';
import { remoteWork, workServer } from './work-servers.js';

describeWorkPort('in one process', (work) => Promise.resolve({ workOf: () => work, close: () => Promise.resolve() }));

describeWorkPort('over gRPC', async (served) => {
  const server = await workServer(served);
  return {
    workOf: (deploymentId) => remoteWork([server.url], tokenOf('worker', deploymentId)),
    close: () => server.close(),
  };
});
