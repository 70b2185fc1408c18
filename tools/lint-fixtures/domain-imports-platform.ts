// linted as: libs/jobs/domain/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { connect } from '@heddle/platform-database';

export const used = connect;
