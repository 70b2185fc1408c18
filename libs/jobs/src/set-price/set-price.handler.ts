import { Inject, Injectable } from '@nestjs/common';
import {
  accepted,
  invalidFields,
  MAX_PRICE_PER_JOB,
  MAX_PRICE_PER_SECOND,
  refuse,
  rejected,
} from '@heddle/contracts-messages';
import type { Answer, DeploymentId, DeploymentPrice } from '@heddle/contracts-messages';
import type { JobPrice } from '@heddle/jobs-domain';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { LogFormat } from '../notify-peers/log-format.js';
import { priceOfRow, pricesSql, setPriceSql } from './price.sql.js';
import type { PriceRow } from './price.sql.js';

const MICROS = 1_000_000;
/** The schema version of `JobSubmitted` that holds a price. */
const PRICED_SCHEMA_VERSION = 2;

/** Prices of deployments, as operators set and see them. */
@Injectable()
export class SetPriceHandler {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly format: LogFormat,
  ) {}

  async handle(
    deploymentId: DeploymentId,
    { perJob, perSecond }: Partial<DeploymentPrice>,
  ): Promise<Answer<DeploymentPrice>> {
    if (perJob !== undefined && (!Number.isSafeInteger(perJob) || perJob < 0 || perJob > MAX_PRICE_PER_JOB)) {
      return rejected(invalidFields({ per_job: `must be a whole number from 0 to ${MAX_PRICE_PER_JOB}` }));
    }
    const micros = perSecond === undefined ? null : Math.round(perSecond * MICROS);
    if (
      perSecond !== undefined &&
      !(perSecond >= 0 && perSecond <= MAX_PRICE_PER_SECOND && micros! / MICROS === perSecond)
    ) {
      const problem = `must be a number from 0 to ${MAX_PRICE_PER_SECOND} with at most 6 decimals`;
      return rejected(invalidFields({ per_second: problem }));
    }
    // While a replica of an earlier build lives, it could not read a job with a price.
    if (((perJob ?? 0) > 0 || (micros ?? 0) > 0) && !this.format.allows('JobSubmitted', PRICED_SCHEMA_VERSION)) {
      return rejected(refuse('upstream_error', { case: 'older_replicas' }));
    }
    const { rows } = await this.pool.query<PriceRow>(setPriceSql, [deploymentId, perJob ?? null, micros]);
    return accepted(shownPrice(priceOfRow(rows[0]!)));
  }

  async pricesOf(deploymentIds: readonly DeploymentId[]): Promise<ReadonlyMap<DeploymentId, DeploymentPrice>> {
    const { rows } = await this.pool.query<PriceRow & { deployment_id: DeploymentId }>(pricesSql, [deploymentIds]);
    return new Map(rows.map((row) => [row.deployment_id, shownPrice(priceOfRow(row))]));
  }
}

function shownPrice({ perJob, perSecondMicros }: JobPrice): DeploymentPrice {
  return { perJob, perSecond: perSecondMicros / MICROS };
}
