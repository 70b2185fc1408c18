/**
 * The end that the worker was about to report with the log, and rows that stand for a log that was asked for and not
 * there.
 */
export const loggedEndSql = `
alter table logs.execution_log add column ended_as text;
alter table logs.execution_log add column absent boolean not null default false;
`;
