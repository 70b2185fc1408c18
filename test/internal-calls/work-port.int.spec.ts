import { describeWorkPort } from './work-port.suite.js';
import { remoteWork, workServer } from './work-servers.js';

describeWorkPort('in one process', (work) => Promise.resolve({ work, close: () => Promise.resolve() }));

describeWorkPort('over gRPC', async (served) => {
  const server = await workServer(served);
  return { work: remoteWork([server.url]), close: () => server.close() };
});
