import type { Pool } from 'pg';

/** The pool of the service's own role, as a token of its own. */
export class LogsDatabase {
  constructor(readonly pool: Pool) {}
}
