/**
 * The fence under which a worker last reported its start: it has started if that equals the row's fence. A lease from
 * before this step counts as started, because nobody asked its worker.
 */
export const startedAttemptsSql = `
alter table jobs.queue add column started_fence integer not null default 0;
update jobs.queue set started_fence = fence where state <> 'queued';
`;
