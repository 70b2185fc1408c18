import { Secret } from '@heddle/contracts-messages';
import type { PartnerCredentials } from '@heddle/contracts-messages';

/** Partner credentials in clear: only inside the calls that hand them on, never in a log. */
export interface WireCredentials {
  readonly apiKey?: string;
  readonly authToken?: string;
}

export function revealCredentials(credentials: PartnerCredentials | null): WireCredentials | null {
  if (credentials === null) return null;
  const { apiKey, authToken } = credentials;
  return {
    ...(apiKey === undefined ? {} : { apiKey: apiKey.reveal() }),
    ...(authToken === undefined ? {} : { authToken: authToken.reveal() }),
  };
}

export function wrapCredentials(credentials: WireCredentials | null | undefined): PartnerCredentials | null {
  if (credentials === null || credentials === undefined) return null;
  const { apiKey, authToken } = credentials;
  return {
    ...(apiKey === undefined ? {} : { apiKey: new Secret(apiKey) }),
    ...(authToken === undefined ? {} : { authToken: new Secret(authToken) }),
  };
}
