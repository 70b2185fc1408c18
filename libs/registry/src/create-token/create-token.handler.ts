import { Injectable } from '@nestjs/common';
import type { IssuedTokenWire } from '@heddle/contracts-registry';
import { CredentialDigest, PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { insertTokenSql } from '../authorize/token-rows.sql.js';
import type { TokenRow } from '../authorize/token-rows.sql.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { writingPublisher } from '../load-for-write/written-nodes.js';
import { renderToken } from '../render-wire/token-wire.js';
import type { NewToken } from './token-body.dto.js';

/** A token of a publisher, which is shown only now. */
@Injectable()
export class CreateTokenHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly digest: CredentialDigest,
  ) {}

  async handle(publisher: string, caller: RegistryCaller, wanted: NewToken): Promise<IssuedTokenWire> {
    await this.membership.owner(caller, publisher);
    const { key, keyId, digest } = this.digest.draw(PUBLISHER_TOKEN);
    const { name, description, nodes, actions, expiresInS } = wanted;
    const values = [keyId, publisher, digest, name, description, nodes, actions, expiresInS];
    const { rows } = await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher);
      return await unit.client.query<TokenRow>(insertTokenSql, values);
    });
    const { prefix: _, last_used_at: __, ...shown } = renderToken(rows[0]!);
    return { ...shown, token: key.reveal() };
  }
}
