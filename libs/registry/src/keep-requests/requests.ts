import { Injectable } from '@nestjs/common';
import { newUuid } from '@heddle/contracts-messages';
import { nodeKey } from '@heddle/registry-domain';
import type { RegistryUnit } from '../commit-events/registry-unit.js';

/** What waits for the operator. `subject`: the version to review, or the account that reports the node. */
interface NewRequest {
  readonly kind: 'review' | 'report';
  readonly nodeId: string;
  readonly subject: string;
  readonly text: string;
}

const openSql = `
insert into registry.request (request_id, node_key, kind, subject, text) values ($1, $2, $3, $4, $5)
on conflict (node_key, kind, subject) do nothing returning 1`;
const closeReviewSql = `delete from registry.request where node_key = $1 and kind = 'review' and subject = $2`;
const closeReportsSql = `delete from registry.request where node_key = $1 and kind = 'report'`;

/** What publishers and readers ask of the operator, until a decision answers it. */
@Injectable()
export class Requests {
  /** False: one such waits already. */
  async open({ client }: RegistryUnit, { kind, nodeId, subject, text }: NewRequest): Promise<boolean> {
    const { rowCount } = await client.query(openSql, [newUuid(), nodeKey(nodeId), kind, subject, text]);
    return rowCount === 1;
  }

  async closeReview({ client }: RegistryUnit, nodeId: string, versionId: string): Promise<void> {
    await client.query(closeReviewSql, [nodeKey(nodeId), versionId]);
  }

  async closeReports({ client }: RegistryUnit, nodeId: string): Promise<void> {
    await client.query(closeReportsSql, [nodeKey(nodeId)]);
  }
}
