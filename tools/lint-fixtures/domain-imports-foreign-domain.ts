// linted as: libs/jobs/domain/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { mint } from '@heddle/assets-domain';

export const used = mint;
