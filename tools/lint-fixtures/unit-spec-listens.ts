// linted as: libs/jobs/src/submit-job/submit-job.spec.ts
// expects: heddle/no-server-in-unit-spec
import { server } from './server.fixture.js';

server.listen(0, '127.0.0.1');
