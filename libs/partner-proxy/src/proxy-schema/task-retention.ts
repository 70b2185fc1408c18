/** Ended tasks in the order in which they ended, for the purge; and the right to delete what is past its retention. */
export const taskRetentionSql = `
create index task_told on partner_proxy.task (step_at) where step = 'over' and vendor_task_id is not null;
create index task_untold on partner_proxy.task (step_at) where step = 'over' and vendor_task_id is null;
grant delete on partner_proxy.task, partner_proxy.payload, partner_proxy.delivery to heddle_registry;
`;
