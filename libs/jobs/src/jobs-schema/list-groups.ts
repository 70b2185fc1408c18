import type { SchemaMigrations } from '@heddle/platform-database';

type Step = SchemaMigrations['migrations'][number];

/**
 * Indexes that lists walk in order, for every filter (docs/decisions/0025). `final_status` changes once, at the end of
 * a job, so other updates of the row do not touch the indexes. Triggers derive both, so that rows have them whichever
 * build wrote them.
 */
export const listGroups: Step = {
  name: '0012-list-groups',
  up: `
alter table jobs.job add column final_status text;
create function jobs.set_final_status() returns trigger language plpgsql as $$
begin
  new.final_status := new.status;
  return new;
end $$;
create trigger job_final_status before insert or update on jobs.job for each row
  when (new.completed_at is not null and new.final_status is null) execute function jobs.set_final_status();

-- One row for each label of a job.
create table jobs.job_label (
  job_id uuid not null,
  label text not null,
  account_id uuid not null,
  deployment_id uuid not null,
  created_at timestamptz(3) not null,
  final_status text,
  primary key (job_id, label)
);
create index job_label_newest on jobs.job_label
  (account_id, deployment_id, label, final_status, created_at desc, job_id desc);
grant select, insert, update, delete on jobs.job_label to heddle_jobs;

create function jobs.keep_labels() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into jobs.job_label (job_id, label, account_id, deployment_id, created_at, final_status)
      select distinct new.id, l, new.account_id, new.deployment_id, new.created_at, new.final_status from unnest(new.labels) l
      on conflict do nothing;
  elsif tg_op = 'UPDATE' then
    update jobs.job_label set final_status = new.final_status where job_id = new.id;
  else
    delete from jobs.job_label where job_id = old.id;
  end if;
  return null;
end $$;
create trigger job_labels_added after insert on jobs.job for each row
  when (new.labels is not null) execute function jobs.keep_labels();
create trigger job_labels_ended after update on jobs.job for each row
  when (new.labels is not null and new.final_status is distinct from old.final_status) execute function jobs.keep_labels();
create trigger job_labels_removed after delete on jobs.job for each row
  when (old.labels is not null) execute function jobs.keep_labels();
`,
};

/** Backfills older jobs, a bounded number of rows per transaction. A temporary index finds the rows that lack it. */
export const listGroupsOnline: Step = {
  name: '0013-list-groups-online',
  online: [
    {
      index: 'job_lacks_final',
      sql: `create index concurrently job_lacks_final on jobs.job (id) where completed_at is not null and final_status is null`,
    },
    {
      batch: `update jobs.job set final_status = status where id in (
        select id from jobs.job where completed_at is not null and final_status is null order by id limit 2000)`,
    },
    { sql: 'drop index concurrently if exists jobs.job_lacks_final' },
    {
      index: 'job_labelled',
      sql: `create index concurrently job_labelled on jobs.job (id) where labels is not null`,
    },
    {
      // The lock keeps a job from ending between reading it and its labels.
      sql: `do $$
        declare
          page uuid[];
          place uuid := '00000000-0000-0000-0000-000000000000';
        begin
          loop
            select array_agg(id order by id) into page from (
              select id from jobs.job where labels is not null and id > place order by id limit 2000 for no key update) p;
            exit when page is null;
            insert into jobs.job_label (job_id, label, account_id, deployment_id, created_at, final_status)
              select distinct j.id, l, j.account_id, j.deployment_id, j.created_at, j.final_status
              from jobs.job j, unnest(j.labels) l where j.id = any(page)
              on conflict do nothing;
            place := page[cardinality(page)];
            commit;
          end loop;
        end $$`,
    },
    { sql: 'drop index concurrently if exists jobs.job_labelled' },
    {
      index: 'job_ended',
      sql: `create index concurrently job_ended on jobs.job
        (account_id, deployment_id, final_status, created_at desc, id desc) where final_status is not null`,
    },
    {
      index: 'job_live',
      sql: `create index concurrently job_live on jobs.job
        (account_id, deployment_id, created_at desc, id desc) where final_status is null`,
    },
  ],
};
