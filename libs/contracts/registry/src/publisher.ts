/** A publisher (api-v2, Registry: Publisher; registry decisions, Added). Times are ISO 8601, UTC. */
export interface PublisherWire extends PublisherProfile {
  readonly id: string;
  readonly createdAt: string;
  readonly status: PublisherStatus;
  readonly members: readonly MemberWire[];
}

/** What an owner writes; "" where nothing is known. */
export interface PublisherProfile {
  readonly name: string;
  readonly description: string;
  readonly logo: string;
  readonly source_code_repo: string;
  readonly support: string;
  readonly website: string;
}

export type PublisherStatus = 'PublisherStatusActive' | 'PublisherStatusBanned';

/** `email` is always "": addresses of people are private. */
export interface MemberWire {
  readonly id: string;
  readonly role: MemberRole;
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
}

export type MemberRole = 'owner' | 'member';

/** What a publisher's token may do. */
export const TOKEN_ACTIONS = ['publish', 'deprecate', 'delete'] as const;
export type TokenAction = (typeof TOKEN_ACTIONS)[number];

/** A publisher's token as lists show it. `prefix` is `hdr_` and the id. */
export interface TokenWire {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly description: string;
  /** Node ids; none: every node of the publisher. */
  readonly nodes: readonly string[];
  readonly actions: readonly TokenAction[];
  readonly created_at: string;
  readonly expires_at: string;
  /** "" before its first use. */
  readonly last_used_at: string;
}

/** The only answer that contains a token. */
export type IssuedTokenWire = Omit<TokenWire, 'prefix' | 'last_used_at'> & { readonly token: string };
