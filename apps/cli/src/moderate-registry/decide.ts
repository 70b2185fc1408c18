import type { AdminCall } from '../admin/admin-command.js';
import { recordOf } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import type { Option } from '../command-line/command.js';
import { EXIT } from '../failure.js';
import { printDecision } from './print-decision.js';

export const REASON: Option = { value: 'TEXT', meaning: 'why, for its publisher' };

/** Makes a decision and prints what it made of its object. */
export async function decide(call: AdminCall, path: string, body: object = {}): Promise<number> {
  await decided(call, path, body);
  return EXIT.done;
}

export async function decided({ admin, terminal }: AdminCall, path: string, body: object): Promise<JsonRecord> {
  const decision = recordOf(await admin.call('POST', path, body));
  printDecision(decision, terminal);
  return decision;
}

export function reasonIn({ options }: AdminCall): { readonly reason?: string } {
  const reason = options.text('reason');
  return reason === null ? {} : { reason };
}
