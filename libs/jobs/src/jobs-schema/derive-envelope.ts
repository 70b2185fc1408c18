/**
 * Derives status and trace of events written before the envelope, from their stream, with the same result as the
 * domain's fold (checked by relay-job-events/older-envelopes.int.spec.ts). Only a running job accepts reports and
 * cancel requests, and a job with a cancel request is never queued again, so any earlier request decides.
 */
export const deriveEnvelopeSql = `
create function jobs.derive_envelope(job uuid, at_version int, out status text, out traceparent text)
language sql stable as $$
  select case
      when e.type in ('JobSubmitted', 'LeaseLost') then 'queued'
      when e.type = 'JobLeased' then 'running'
      when e.type = 'CancelRequested' then 'canceling'
      when e.type in ('NodeFinished', 'OutputCommitted', 'LogCaptured') then case when exists (
          select from jobs.event c where c.stream_id = job and c.version < at_version and c.type = 'CancelRequested')
        then 'canceling' else 'running' end
      -- JobSucceeded leads to succeeded; a purged job shows the status that it ended with.
      when e.is_terminal or e.type = 'JobPurged' then (
        select lower(substring(l.type from 4)) from jobs.event l where l.stream_id = job and l.is_terminal)
    end,
    -- The last field of the canonical form. PostgreSQL's JSON functions refuse escapes that labels may hold, such as \\u0000.
    (select substring(
        encode(substring(s.data from greatest(1, octet_length(s.data) - 99)), 'escape') from ',"traceparent":"([^"]+)"}$')
      from jobs.event s where s.stream_id = job and s.version = 1)
  from jobs.event e where e.stream_id = job and e.version = at_version
$$;
`;
