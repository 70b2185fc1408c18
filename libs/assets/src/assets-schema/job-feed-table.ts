/** How far the service has followed the jobs: the time of the newest event that arrived. */
export const jobFeedTableSql = `
create table assets.job_feed (
  id int primary key check (id = 1),
  heard_until timestamptz(3) not null
) with (fillfactor = 50);
insert into assets.job_feed values (1, '-infinity');
grant select, update on assets.job_feed to heddle_assets;
`;
