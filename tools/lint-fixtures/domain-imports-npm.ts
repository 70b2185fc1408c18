// linted as: libs/jobs/domain/src/fixture.ts
// expects: @nx/enforce-module-boundaries, heddle/pure-domain
import { Client } from 'pg';

export const used = Client;
