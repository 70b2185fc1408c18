// linted as: libs/jobs/src/submit-job/submit-job.spec.ts
// expects: heddle/no-module-mock
import { vi } from 'vitest';

vi.mock('./submit-job.handler.js');
