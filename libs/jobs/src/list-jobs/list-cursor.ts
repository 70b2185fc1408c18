import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { surfaceOf } from '@heddle/contracts-messages';
import type { Principal } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_READS } from '../jobs-connections.js';

/** The end of a page: its last job. */
export interface PageEnd {
  readonly createdAtMs: number;
  readonly jobId: string;
}

const TAG_BYTES = 16;
const BODY_BYTES = 8 + 16;

/**
 * Opaque cursors of the list. Each carries a tag under a secret kept in the database, bound to the account and
 * its deployment, so that a cursor of another list, another service or a forged one is recognized (decisions, List).
 */
@Injectable()
export class ListCursors {
  #secret: Promise<KeyObject> | undefined;

  constructor(@Inject(JOBS_READS) private readonly pool: Pool) {}

  async encode(principal: Principal, end: PageEnd): Promise<string> {
    const body = Buffer.alloc(BODY_BYTES);
    body.writeDoubleBE(end.createdAtMs, 0);
    body.write(end.jobId.replaceAll('-', ''), 8, 'hex');
    return Buffer.concat([body, await this.#tag(principal, body)]).toString('base64url');
  }

  /** null: not issued here. */
  async decode(principal: Principal, cursor: string): Promise<PageEnd | null> {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length !== BODY_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null;
    const body = bytes.subarray(0, BODY_BYTES);
    if (!timingSafeEqual(bytes.subarray(BODY_BYTES), await this.#tag(principal, body))) return null;
    const hex = body.toString('hex', 8);
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
    return { createdAtMs: body.readDoubleBE(0), jobId: parts.join('-') };
  }

  async #tag(principal: Principal, body: Buffer): Promise<Buffer> {
    this.#secret ??= this.#load();
    const secret = await this.#secret;
    return createHmac('sha256', secret).update(listOf(principal)).update(body).digest().subarray(0, TAG_BYTES);
  }

  async #load(): Promise<KeyObject> {
    try {
      const { rows } = await this.pool.query<{ secret: Buffer }>('select secret from jobs.cursor_secret');
      // With the bytes of a key an HMAC costs six times as much.
      return createSecretKey(rows[0]!.secret);
    } catch (error) {
      this.#secret = undefined;
      throw error;
    }
  }
}

/** Jobs of an account in different deployments are different lists. */
function listOf({ accountId, deploymentId }: Principal): string {
  return surfaceOf(deploymentId) === 'dedicated' ? `${accountId} ${deploymentId}` : accountId;
}
