import { refusalOf } from '@heddle/testing-registry';
import type { RegistryPublisher } from '@heddle/testing-registry';
import { beforeAll } from 'vitest';
import { useRegistry } from './registry-server.js';
import type { RegistryUnderTest } from './registry-server.js';

interface Publishers {
  readonly registry: RegistryUnderTest;
  /** Two publishers of the suite's account; only while tests run. */
  readonly publishers: { readonly acme: RegistryPublisher; readonly other: RegistryPublisher };
  /** The status, and the code of a refusal, of a request of the suite's account. */
  ask(method: string, path: string, body?: unknown): Promise<string>;
  /** The same with a publisher's token: that of acme, unless another is given. */
  withToken(method: string, path: string, body: unknown, token?: string): Promise<string>;
}

/** As `useRegistry`, with two publishers. */
export function usePublishers(): Publishers {
  const registry = useRegistry();
  const publishers = {} as { acme: RegistryPublisher; other: RegistryPublisher };
  beforeAll(async () => {
    publishers.acme = await registry.publisher();
    publishers.other = await registry.publisher();
  });
  return {
    registry,
    publishers,
    ask: async (method, path, body) => refusalOf(await registry.account.send(method, path, body)),
    withToken: async (method, path, body, token = publishers.acme.token) =>
      refusalOf(await registry.anyone.as(token).send(method, path, body)),
  };
}
