/** PostgreSQL timestamps count microseconds from 2000-01-01. */
export const POSTGRES_EPOCH_MS = 946_684_800_000;
