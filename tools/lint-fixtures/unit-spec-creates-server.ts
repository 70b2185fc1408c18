// linted as: libs/jobs/src/submit-job/submit-job.spec.ts
// expects: heddle/no-server-in-unit-spec
import * as http from 'node:http';

export const server = http.createServer();
