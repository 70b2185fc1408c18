// linted as: libs/gateway/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { SubmitJobHandler } from '@heddle/jobs';

export const used = SubmitJobHandler;
