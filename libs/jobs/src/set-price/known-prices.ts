import { Inject, Injectable } from '@nestjs/common';
import { FREE, isFree } from '@heddle/jobs-domain';
import type { JobPrice } from '@heddle/jobs-domain';
import { SURFACES, surfaceOf } from '@heddle/contracts-messages';
import type { DeploymentId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { priceSql } from './price.sql.js';
import type { PriceRow } from './price.sql.js';

/**
 * Prices of deployments as this process knows them: free until a submission finds that they are not. The statement of a
 * submission compares them with the table, so a price holds from its commit on, in every replica.
 */
@Injectable()
export class KnownPrices {
  readonly #prices = new Map<DeploymentId, JobPrice>();

  constructor(@Inject(JOBS_POOL) private readonly pool: Pool) {}

  /** Null on a surface without credits. */
  of(deploymentId: DeploymentId): JobPrice | null {
    return SURFACES[surfaceOf(deploymentId)].credits ? (this.#prices.get(deploymentId) ?? FREE) : null;
  }

  async read(deploymentId: DeploymentId): Promise<JobPrice> {
    const { rows } = await this.pool.query<PriceRow>({ name: 'price', text: priceSql, values: [deploymentId] });
    const price = rows[0] === undefined ? FREE : priceOfRow(rows[0]);
    if (isFree(price)) this.#prices.delete(deploymentId);
    else this.#prices.set(deploymentId, price);
    return price;
  }
}

export function priceOfRow({ per_job, per_second_micros }: PriceRow): JobPrice {
  return { perJob: Number(per_job), perSecondMicros: Number(per_second_micros) };
}
