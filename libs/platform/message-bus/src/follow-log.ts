// Exactly-once log following as a separate entry: publishers do not need it.
export { Inbox } from './follow-log/inbox.js';
export type { InboxSession, InboxStatement, LoggedEvent, Place } from './follow-log/inbox.js';
export { inboxMigrationSql } from './follow-log/inbox-migration.js';
export { JobFollower, UnplacedMessageError } from './follow-log/job-follower.js';
