import type { AccountId } from '@heddle/contracts-messages';
import type { TokenAction } from '@heddle/contracts-registry';
import { RequestNote } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';

/** A publisher's token that is good. */
export interface VerifiedToken {
  readonly tokenId: string;
  readonly publisherId: string;
  /** Keys of nodes; null: all of the publisher. */
  readonly nodes: readonly string[] | null;
  readonly actions: readonly TokenAction[];
}

/** Who calls: an account, a publisher's token, or an anonymous caller. */
export interface RegistryCaller {
  readonly accountId: AccountId | null;
  readonly token: VerifiedToken | null;
  /** Peer address, by which rates are limited. */
  readonly address: string;
}

const callers = new RequestNote<RegistryCaller>();

export function admitCaller(request: FastifyRequest, caller: RegistryCaller): void {
  callers.set(request, caller);
}

/** Throws for a request that was not admitted. */
export function callerOf(request: FastifyRequest): RegistryCaller {
  const caller = callers.of(request);
  if (caller === undefined) throw new Error('the request was not admitted');
  return caller;
}

/** As events name it. */
export function actorOf({ accountId, token }: RegistryCaller): string {
  return token === null ? `account:${accountId}` : `token:${token.tokenId}`;
}
