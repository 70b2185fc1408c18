// linted as: libs/jobs/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { startKafka } from '@heddle/local-servers';

export const used = startKafka;
