import { ACCOUNTS_PORT, KEY_CHECK, REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { Answer, RegistryAdminPort } from '@heddle/contracts-messages';
import { KnownAccounts } from './known-accounts.fake.js';
import { testRegistry } from './registry.fixture.js';
import type { TestRegistry } from './registry.fixture.js';
import type { RegistrySettings } from './settings.js';

/** A package with `__init__.py` alone, which says that it has no classes. */
const ZIP = Buffer.from(
  'UEsDBBQAAAAAAAAAIQAMNzCsGQAAABkAAAALAAAAX19pbml0X18ucHlOT0RFX0NMQVNTX01BUFBJTkdTID0ge30KUEsBAhQDFAAA' +
    'AAAAAAAhAAw3MKwZAAAAGQAAAAsAAAAAAAAAAAAAAIABAAAAAF9faW5pdF9fLnB5UEsFBgAAAAABAAEAOQAAAEIAAAAAAA==',
  'base64',
);

export interface Answered {
  readonly status: number;
  /** JSON, or the text of another body; specs read it field by field. */
  readonly body: ReturnType<typeof JSON.parse>;
  /** The header; null where there is none. */
  readonly retryAfter: string | null;
}

class AccountsModule {}

/** A registry of the managed surface as its clients and its operator meet it, on a database and a folder of its own. */
export class ManagedRegistry {
  private constructor(private readonly registry: TestRegistry) {}

  static async open(changes: Partial<RegistrySettings> = {}): Promise<ManagedRegistry> {
    const accounts = new KnownAccounts();
    const providers = [KEY_CHECK, ACCOUNTS_PORT].map((provide) => ({ provide, useValue: accounts }));
    const module = { module: AccountsModule, providers, exports: providers.map(({ provide }) => provide) };
    const limits = { readRate: 100, readBurst: 400 };
    return new ManagedRegistry(
      await testRegistry({ surface: 'managed', staticToken: null, ...limits, ...changes }, [module]),
    );
  }

  /** With the active version 1.0.0 of the node pack-a of acme, and a token that may do everything with it. */
  static async withPackage(): Promise<{ readonly registry: ManagedRegistry; readonly token: string }> {
    const registry = await ManagedRegistry.open({ forges: ['forge.example'] });
    const token = await registry.publisher('acme', 'key-ann', { actions: ['publish', 'deprecate', 'delete'] });
    await registry.active('acme', 'pack-a', '1.0.0', token, { repository: 'https://forge.example/acme/pack-a' });
    return { registry, token };
  }

  get database(): TestRegistry['database'] {
    return this.registry.database;
  }

  get folder(): string {
    return this.registry.folder;
  }

  get store(): TestRegistry['store'] {
    return this.registry.store;
  }

  get app(): TestRegistry['app'] {
    return this.registry.app;
  }

  get admin(): RegistryAdminPort {
    return this.app.get<RegistryAdminPort>(REGISTRY_ADMIN_PORT);
  }

  /** `bearer`: a key, a token, or "" for nobody. */
  async call(method: string, path: string, bearer = '', body?: unknown): Promise<Answered> {
    const url = path.startsWith('http') ? path : this.registry.url + path;
    const headers = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
    const sent = Buffer.isBuffer(body) ? body : body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(url, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
    const text = await answer.text();
    const answered: unknown = text === '' ? '' : JSON.parse(text);
    return { status: answer.status, body: answered, retryAfter: answer.headers.get('retry-after') };
  }

  /** A publisher of the account; the text of a token with these actions. */
  async publisher(id: string, key = 'key-ann', token: object = {}): Promise<string> {
    await this.call('POST', '/publishers', key, { id, name: id });
    const { body } = await this.call('POST', `/publishers/${id}/tokens`, key, { name: 'ci', ...token });
    return body.token as string;
  }

  publish(publisher: string, node: string, version: string, token: string, more: object = {}): Promise<Answered> {
    return this.call('POST', `/publishers/${publisher}/nodes/${node}/versions`, '', {
      node: more,
      node_version: { version },
      personal_access_token: token,
    });
  }

  upload(signedUrl: string): Promise<Answered> {
    return this.call('PUT', signedUrl, '', ZIP);
  }

  /** A version with its bytes, once it has been looked into. */
  async active(publisher: string, node: string, version: string, token: string, more: object = {}): Promise<void> {
    const { body } = await this.publish(publisher, node, version, token, more);
    await this.upload(body.signedUrl as string);
    await this.until(async () => (await this.call('GET', `/nodes/${node}/versions/${version}`)).status === 200);
  }

  async until(holds: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 20_000; !(await holds()); await new Promise((done) => setTimeout(done, 20)))
      if (Date.now() > deadline) throw new Error('it did not come about');
  }

  async close(): Promise<void> {
    await this.registry.close();
  }
}

/** The value of an answer; throws its refusal. */
export function valueOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(answer.rejection.message);
  return answer.value;
}

export function codeOf(answer: Answer<unknown>): string {
  return answer.ok ? 'ok' : answer.rejection.code;
}
