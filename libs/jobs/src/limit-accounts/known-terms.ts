import { Inject, Injectable } from '@nestjs/common';
import { FREE } from '@heddle/jobs-domain';
import type { JobPrice } from '@heddle/jobs-domain';
import { SURFACES, surfaceOf } from '@heddle/contracts-messages';
import type { DeploymentId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import { JobsSettings } from '../settings.js';
import { priceOfRow } from '../set-price/price.sql.js';
import type { PriceRow } from '../set-price/price.sql.js';
import { termsSql } from './known-terms.sql.js';
import type { TermsRow } from './known-terms.sql.js';

/** What a deployment charges for its jobs, and how long they may run and are kept. */
export interface DeploymentTerms {
  /** Null on a surface without credits. */
  readonly price: JobPrice | null;
  readonly maxRuntimeMs: number;
  readonly retentionMs: number;
}

/**
 * Terms of deployments as this process knows them: free and by the settings until a statement finds that they are not.
 * The statements of submissions and leases compare them with the tables, so terms hold from their commit on, in every
 * replica.
 */
@Injectable()
export class KnownTerms {
  readonly #own = new Map<DeploymentId, DeploymentTerms>();
  readonly #free: DeploymentTerms;

  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    readonly settings: JobsSettings,
  ) {
    this.#free = { price: FREE, maxRuntimeMs: settings.maxRuntimeMs, retentionMs: settings.retentionMs };
  }

  of(deploymentId: DeploymentId): DeploymentTerms {
    if (!SURFACES[surfaceOf(deploymentId)].credits) return { ...this.#free, price: null };
    return this.#own.get(deploymentId) ?? this.#free;
  }

  /** True if they are not what was known. */
  async read(deploymentId: DeploymentId): Promise<boolean> {
    const before = this.of(deploymentId);
    if (before.price === null) return false;
    const { rows } = await this.pool.query<TermsRow>({ name: 'terms', text: termsSql, values: [deploymentId] });
    const row = rows[0]!;
    const terms: DeploymentTerms = {
      price: hasPrice(row) ? priceOfRow(row) : FREE,
      maxRuntimeMs: row.max_runtime_ms === null ? this.#free.maxRuntimeMs : Number(row.max_runtime_ms),
      retentionMs: row.retention_ms === null ? this.#free.retentionMs : Number(row.retention_ms),
    };
    if (areSame(terms, this.#free)) this.#own.delete(deploymentId);
    else this.#own.set(deploymentId, terms);
    return !areSame(terms, before);
  }
}

function hasPrice(row: TermsRow): row is TermsRow & PriceRow {
  return row.per_job !== null;
}

function areSame(one: DeploymentTerms, other: DeploymentTerms): boolean {
  return (
    one.maxRuntimeMs === other.maxRuntimeMs &&
    one.retentionMs === other.retentionMs &&
    one.price?.perJob === other.price?.perJob &&
    one.price?.perSecondMicros === other.price?.perSecondMicros
  );
}
