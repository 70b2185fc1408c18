import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNTS_PORT, KEY_CHECK, REGISTRY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { RegistryAdminPort } from '@heddle/contracts-messages';
import { DirectoryBlobStore } from '@heddle/platform-blob-store';
import { CredentialDigest, readPepper } from '@heddle/platform-credentials';
import { checkCredentialsForm, createHttpApplication, HTTP_DEFAULTS } from '@heddle/platform-http';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { createLogger } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RegistryGate } from './authorize/registry-gate.js';
import { KnownAccounts } from './known-accounts.fake.js';
import { REGISTRY_API } from './registry-form.js';
import { REGISTRY_MIGRATIONS, REGISTRY_ROLE } from './registry-schema/registry-migrations.js';
import { RegistryModule } from './registry.module.js';
import { noteAddress } from './render-wire/links.js';
import { RegistrySettings } from './settings.js';
import { VersionSigner } from './sign-versions/version-signer.js';

/** Begins as a zip does. */
const ZIP = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');

export interface Answered {
  readonly status: number;
  /** JSON, or the text of another body. */
  readonly body: any;
}

class AccountsModule {}

/** A registry of the managed surface as its clients and its operator meet it, on a database and a folder of its own. */
export class ManagedRegistry {
  private constructor(
    readonly database: TestDatabase,
    readonly folder: string,
    readonly store: DirectoryBlobStore,
    readonly app: NestFastifyApplication,
  ) {}

  static async open(changes: Partial<RegistrySettings> = {}): Promise<ManagedRegistry> {
    const database = await freshDatabase({ migrations: [REGISTRY_MIGRATIONS], poolSizes: { [REGISTRY_ROLE]: 12 } });
    const folder = await mkdtemp(join(tmpdir(), 'heddle-registry-'));
    const store = await DirectoryBlobStore.open(join(folder, 'blobs'));
    const settings = new RegistrySettings({ surface: 'managed', uploadFolder: join(folder, 'uploads'), ...changes });
    const accounts = new KnownAccounts();
    const providers = [KEY_CHECK, ACCOUNTS_PORT].map((provide) => ({ provide, useValue: accounts }));
    const module = RegistryModule.register({
      database,
      store,
      settings,
      signer: new VersionSigner([{ id: 'key-1', secret: createSecretKey(Buffer.alloc(32, 7)) }]),
      digest: new CredentialDigest(readPepper(join(folder, 'pepper'), true)),
      logger: createLogger('silent'),
      imports: [{ module: AccountsModule, providers, exports: providers.map(({ provide }) => provide) }],
    });
    const app: NestFastifyApplication = await createHttpApplication(module, {
      api: REGISTRY_API,
      limits: { ...HTTP_DEFAULTS, bodyBytes: 1_048_576 },
      logger: createLogger('silent'),
      tracer: null,
      guard: (request) => {
        noteAddress(request, settings);
        return checkCredentialsForm(request.raw);
      },
      admit: (request) => app.get(RegistryGate).admit(request),
      streamedBodies: new Set(['PUT /uploads/:version']),
      connections: new ConnectionGuard(CONNECTION_DEFAULTS),
      bodies: new BodyBudget(100_000_000),
      observe: () => undefined,
    });
    await app.listen(0, '127.0.0.1');
    return new ManagedRegistry(database, folder, store, app);
  }

  get admin(): RegistryAdminPort {
    return this.app.get<RegistryAdminPort>(REGISTRY_ADMIN_PORT);
  }

  /** `bearer`: a key, a token, or "" for nobody. */
  async call(method: string, path: string, bearer = '', body?: unknown): Promise<Answered> {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    const url = path.startsWith('http') ? path : `http://127.0.0.1:${port}${path}`;
    const headers = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
    const sent = Buffer.isBuffer(body) ? body : body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(url, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
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
    await this.app.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }
}
