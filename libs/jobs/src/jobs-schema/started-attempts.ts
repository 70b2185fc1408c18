/**
 * The fence under which a worker last said that it begins: it has begun if that is the row's fence. A lease of before this
 * step counts as begun, because nobody asked its worker.
 */
export const startedAttemptsSql = `
alter table jobs.queue add column started_fence integer not null default 0;
update jobs.queue set started_fence = fence where state <> 'queued';
`;
