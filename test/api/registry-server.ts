import { RegistryClient, RegistryPublisher } from '@heddle/testing-registry';
import { beforeAll } from 'vitest';
import { useServer } from './server.js';
import type { ServerWishes, TestServer } from './server.js';

/** The registry of a server of the suite. */
export interface RegistryUnderTest {
  readonly server: TestServer;
  /** With the credential of the suite's account, where the surface has one. */
  readonly account: RegistryClient;
  /** Without a credential. */
  readonly anyone: RegistryClient;
  /** A new publisher of the suite's account. */
  publisher(): Promise<RegistryPublisher>;
}

/** As `useServer`: the registry is there while the tests of the file or block run. */
export function useRegistry(
  settings: Readonly<Record<string, string>> = {},
  wishes: ServerWishes = {},
): RegistryUnderTest {
  const server = useServer(settings, { ...wishes, registry: true });
  let account: RegistryClient | undefined;
  beforeAll(async () => {
    account = await RegistryClient.connect(server.registryUrl, server.token ?? null);
  });
  const connected = (): RegistryClient => {
    if (account === undefined) throw new Error('the registry is there only while tests run');
    return account;
  };
  return {
    server,
    get account() {
      return connected();
    },
    get anyone() {
      return connected().as(null);
    },
    publisher: async () => await RegistryPublisher.create(connected()),
  };
}
