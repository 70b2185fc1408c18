// The process that passes connections on: `main.ts '[{"at":{…},"to":{…}}]'`. It is apart from the launcher, which may be a
// test whose work would hold up every connection.
import { TcpForward, type Endpoint } from './tcp-forward.ts';

const pairs = JSON.parse(process.argv[2] ?? '[]') as readonly { readonly at: Endpoint; readonly to: Endpoint }[];
const forwards = await Promise.all(pairs.map(async ({ at, to }) => await TcpForward.start(at, to)));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => void Promise.all(forwards.map(async (one) => await one.stop())).then(() => process.exit(0)));
