import { JOBS_FAILPOINTS } from '@heddle/jobs';
import { describeFailpoints } from './failpoint-cases.ts';

describeFailpoints('jobs', JOBS_FAILPOINTS, { operations: 160, uploads: 0.1, cancels: 0.15 });
