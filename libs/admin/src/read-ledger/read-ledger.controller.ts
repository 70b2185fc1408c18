import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { CREDITS_PORT, MAX_LEDGER_PART } from '@heddle/contracts-messages';
import type { Answer, CreditsPort, LedgerEntry } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../read-request/list-part.decorator.js';
import { FindNames } from '../find-names/find-names.js';

/** A part of an account's entries, oldest first; `next` is the `after` of the part behind it, null at the end. */
@Controller('admin/v1/credits/:account/ledger')
export class ReadLedgerController {
  constructor(
    @Inject(CREDITS_PORT) private readonly credits: CreditsPort,
    private readonly names: FindNames,
  ) {}

  @Get()
  read(@Param('account') account: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.#read(account, entryIdIn(queryOf(request).get('after'))), 200, renderPart);
  }

  async #read(account: string, after: number | null): Promise<Answer<readonly LedgerEntry[]>> {
    const id = await this.names.account(account);
    if (!id.ok) return id;
    return { ok: true, value: await this.credits.ledger(id.value, { after, limit: MAX_LEDGER_PART }) };
  }
}

/** A malformed id begins at the first entry. */
function entryIdIn(text: string | null): number | null {
  const id = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id > 0 ? id : null;
}

function renderPart(entries: readonly LedgerEntry[]): string {
  return JSON.stringify({
    entries: entries.map(({ entryId, at, kind, amount, balance, jobId, charged, note }) => {
      return { entry_id: entryId, at, kind, amount, balance, job_id: jobId, charged, note };
    }),
    next: entries.length < MAX_LEDGER_PART ? null : entries.at(-1)!.entryId,
  });
}
