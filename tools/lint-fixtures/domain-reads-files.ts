// linted as: libs/jobs/domain/src/fixture.ts
// expects: heddle/pure-domain
import { readFileSync } from 'node:fs';

export const used = readFileSync;
