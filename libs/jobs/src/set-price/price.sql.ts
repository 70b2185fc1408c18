import type { JobPrice } from '@heddle/jobs-domain';

export interface PriceRow {
  readonly per_job: string;
  readonly per_second_micros: string;
}

export function priceOfRow({ per_job, per_second_micros }: PriceRow): JobPrice {
  return { perJob: Number(per_job), perSecondMicros: Number(per_second_micros) };
}

/** Sets what is given; a null leaves it as it is. */
export const setPriceSql = `
insert into jobs.price as p (deployment_id, per_job, per_second_micros)
values ($1, coalesce($2::bigint, 0), coalesce($3::bigint, 0))
on conflict (deployment_id) do update set
  per_job = coalesce($2::bigint, p.per_job), per_second_micros = coalesce($3::bigint, p.per_second_micros)
returning per_job, per_second_micros`;

export const pricesSql = `
select deployment_id, per_job, per_second_micros from jobs.price where deployment_id = any($1::uuid[])`;
