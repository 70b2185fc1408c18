import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { CREDITS_PORT, invalidFields, rejected } from '@heddle/contracts-messages';
import type { Answer, CreditsPort, LedgerEntry, ListPart } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { AskedPart } from '../read-request/list-part.decorator.js';
import { FindNames } from '../find-names/find-names.js';

const ENTRY_ID = /^[1-9]\d{0,14}$/;

/** A part of an account's entries, oldest first; `next` is the `after` of the next part, null at the end. */
@Controller('admin/v1/credits/:account/ledger')
export class ReadLedgerController {
  constructor(
    @Inject(CREDITS_PORT) private readonly credits: CreditsPort,
    private readonly names: FindNames,
  ) {}

  @Get()
  read(@Param('account') account: string, @AskedPart() part: ListPart, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.#read(account, part), 200, renderPart(part.limit));
  }

  async #read(account: string, { after, limit }: ListPart): Promise<Answer<readonly LedgerEntry[]>> {
    if (after !== null && !ENTRY_ID.test(after))
      return rejected(invalidFields({ after: 'must be the id of an entry' }));
    const id = await this.names.account(account);
    if (!id.ok) return id;
    const start = after === null ? null : Number(after);
    return { ok: true, value: await this.credits.ledger(id.value, { after: start, limit }) };
  }
}

const renderPart = (limit: number) => (entries: readonly LedgerEntry[]) =>
  JSON.stringify({
    entries: entries.map(({ entryId, at, kind, amount, balance, jobId, charged, note }) => {
      return { entry_id: entryId, at, kind, amount, balance, job_id: jobId, charged, note };
    }),
    next: entries.length < limit ? null : String(entries.at(-1)!.entryId),
  });
