// linted as: libs/jobs/src/submit-job/submit-job.spec.ts
// expects: heddle/no-server-in-unit-spec
import { createServer } from 'node:http';

export const server = createServer();
