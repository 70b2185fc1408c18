export { ACCOUNTS_DAILY_SCHEMA, accountsDailySql } from './accounts-daily/accounts-daily.sql.js';
export { foldAccountsDaily } from './accounts-daily/accounts-daily.js';
export { ProjectionConsumer } from './consume-topic/projection-consumer.js';
export { OtherLogError, ProjectionHoleError } from './consume-topic/projection-hole-error.js';
