import { code } from './error-entry.js';

/** Credits that something needs, and those that the account has. */
export interface CreditAmounts {
  readonly required: number;
  readonly balance: number;
}

/** Authentication, authorization and origin checks. */
export const ACCESS_ERRORS = {
  unauthorized: code(401, 'the credential is missing or unknown', {
    credential: 'This request needs a valid credential. Send it as "Authorization: Bearer <token>".',
    admin: 'The admin API needs the admin token (HEDDLE_ADMIN_TOKEN). Send it as "Authorization: Bearer <token>".',
  }),
  insufficient_credits: code(402, 'managed and dedicated surfaces only', {
    submission: ({ required, balance }: CreditAmounts) =>
      `The job may cost up to ${required} credits, and the account has ${balance}. ` +
      'Nothing was reserved and the idempotency key is free: add credits to the account and send the request again.',
    task: ({ required, balance }: CreditAmounts) =>
      `The task costs ${required} credits, and the account has ${balance}. ` +
      'Nothing was reserved and no vendor was called: add credits to the account and send the request again.',
    withdraw: ({ required, balance }: CreditAmounts) =>
      `The account has ${balance} credits that are not reserved, and ${required} were to be withdrawn. Withdraw at most ${balance}.`,
  }),
  forbidden: code(403, 'the credential may not do this', {
    signed_url:
      'This link was changed, has expired, or was revoked by the operator. Read the asset again: each answer has a fresh url.',
    suspended: 'This account is suspended. The operator can resume it.',
    scope: ({ scope }: { readonly scope: string }) =>
      `This key lacks the scope ${scope}. Use a key that has it, or ask the operator for one.`,
  }),
  forbidden_origin: code(403, 'a request from a web page or host that is not allowed', {
    no_host: 'The request has no Host header. Send one with a loopback address or a host of HEDDLE_ALLOWED_HOSTS.',
    host: ({ host, entry }: { readonly host: string; readonly entry: string }) =>
      `The Host header names ${JSON.stringify(host)}, a host that this service does not accept. ` +
      `To allow it, add ${entry} to HEDDLE_ALLOWED_HOSTS where the service runs; loopback addresses are always allowed.`,
    origin:
      'Web pages of this origin may not call this service. The operator allows an origin with HEDDLE_CORS_ORIGINS.',
    admin: 'The admin API refuses requests of web pages, and requests whose Host header names another machine.',
    site: 'Pages of another site may not call this service. The operator allows an origin with HEDDLE_CORS_ORIGINS.',
  }),
  already_exists: code(409, 'the admin API only: the name is taken', {
    account: ({ name }: { readonly name: string }) =>
      `An account named ${JSON.stringify(name)} exists already. Choose another name, or use that account.`,
    deployment: ({ name }: { readonly name: string }) =>
      `The name ${JSON.stringify(name)} is taken: it belongs to a deployment for ever, also after its deletion. Choose another one.`,
  }),
  already_set: code(409, 'the admin API only: already done, or not possible in this state', {
    extraction: 'The node classes of this version were posted already.',
    no_bytes: ({ id }: { readonly id: string }) =>
      `The version ${id} has no bytes. Its publisher must upload them first.`,
    status: ({ id, status, wanted }: { readonly id: string; readonly status: string; readonly wanted: string }) =>
      `The version ${id} is ${status}, and cannot become ${wanted} from there.`,
    rescan: ({ id, status }: { readonly id: string; readonly status: string }) =>
      `The version ${id} is ${status}, and is not scanned again. Review it first.`,
  }),
} as const;
