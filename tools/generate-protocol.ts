// After a change of libs/contracts/proto: writes the code of the protocol and its image. `npm run lint -- proto` compares both.
import { fileURLToPath } from 'node:url';
import { generateProtocol } from './checks/worker-protocol.ts';

const problems = generateProtocol(fileURLToPath(new URL('..', import.meta.url)));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
