// linted as: libs/jobs/src/submit-job/submit-job.spec.ts
// expects: heddle/no-server-in-unit-spec
import { execFile } from 'node:child_process';

execFile('true');
