// Run after a change of libs/contracts/proto: writes the generated code and the image. `npm run lint -- proto` compares
// both.
import { fileURLToPath } from 'node:url';
import { generateProtocols } from './checks/protocols.ts';

const problems = generateProtocols(fileURLToPath(new URL('..', import.meta.url)));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
