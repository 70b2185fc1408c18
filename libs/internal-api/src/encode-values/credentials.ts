import { Secret } from '@heddle/contracts-messages';
import type { PartnerCredentials } from '@heddle/contracts-messages';

/** Credentials in the messages of the services and of the worker protocol, which are published apart. */
interface CredentialsMessage {
  readonly apiKey?: string | undefined;
  readonly authToken?: string | undefined;
}

/** Holds the credentials in clear text: call it only to encode a message. */
export function credentialsMessage(credentials: PartnerCredentials | null): CredentialsMessage | undefined {
  if (credentials === null) return undefined;
  return { apiKey: credentials.apiKey?.reveal(), authToken: credentials.authToken?.reveal() };
}

export function credentialsOf(message: CredentialsMessage | undefined): PartnerCredentials | null {
  if (message === undefined) return null;
  const { apiKey, authToken } = message;
  return {
    ...(apiKey === undefined ? {} : { apiKey: new Secret(apiKey) }),
    ...(authToken === undefined ? {} : { authToken: new Secret(authToken) }),
  };
}
