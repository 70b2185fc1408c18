import { objectInfoText, readClassInfos } from '../catalogue/class-info.js';
import { nodeClasses } from '../nodes/registry.js';
import { leaveRoot } from './leave-root.js';
import { watchParent } from './parent-watch.js';
import { RunServer } from './run-server.js';
import { readLimits } from './limits.js';

// Entry of an engine process: serves one run after the other, and ends with its parent.
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => undefined);

const withTestNodes = process.env['HEDDLE_TEST_NODES'] === '1';
const server = new RunServer(
  readClassInfos(objectInfoText(withTestNodes)),
  nodeClasses(withTestNodes),
  readLimits(process.argv[2]),
);
await leaveRoot(process.argv[3]);
process.on('message', (message) => server.receive(message));
server.send({ kind: 'ready' });
watchParent();
