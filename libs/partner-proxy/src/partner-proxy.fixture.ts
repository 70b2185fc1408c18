import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEY_CHECK, Secret, TASK_CREDITS_PORT } from '@heddle/contracts-messages';
import type { AccountId, KeyHolder, TaskCreditsPort } from '@heddle/contracts-messages';
import { DEFAULT_PRICES } from '@heddle/partner-proxy-domain';
import { startSimulatedVendor } from '@heddle/partner-proxy-simulated-vendor';
import type { SimulatedVendor } from '@heddle/partner-proxy-simulated-vendor';
import { checkCredentialsForm, createHttpApplication, HTTP_DEFAULTS, noteAddress } from '@heddle/platform-http';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { REGISTRY_API } from '@heddle/platform-http/registry-form';
import { createLogger, MetricsRegistry } from '@heddle/platform-telemetry';
import type { Logger } from '@heddle/platform-telemetry';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProxyGate } from './authorize/proxy-gate.js';
import { PartnerProxyModule } from './partner-proxy.module.js';
import { proxyBodyBytes } from './proxy-body-bytes.js';
import { PARTNER_PROXY_MIGRATIONS } from './proxy-schema/proxy-migrations.js';
import { PartnerProxySettings } from './settings.js';
import { TaskCreditsFake } from '@heddle/testing-jobs';
import { TaskSweep } from './sweep-tasks/task-sweep.js';

/** Accounts of the tests by their keys. */
export const ACCOUNTS: Readonly<Record<'key-ann' | 'key-bob', AccountId>> = {
  'key-ann': '00000000-0000-4000-8000-00000000000a' as AccountId,
  'key-bob': '00000000-0000-4000-8000-00000000000b' as AccountId,
};
const LIMITS = { queueDepth: null, running: null, streams: null, storageBytes: null, readRate: null, readBurst: null };
const KEYS = {
  check: (key: string): KeyHolder | null => {
    const accountId = Object.hasOwn(ACCOUNTS, key) ? ACCOUNTS[key as keyof typeof ACCOUNTS] : null;
    const rest = { accountName: key, keyId: key, scopes: new Set<never>(), suspended: false, limits: LIMITS };
    return accountId === null ? null : { accountId, ...rest };
  },
};

export const IMAGE = 'https://images.example.com/a.png';
export const MULTIFRAME = {
  model: 'vendorq2-pro',
  start_image: IMAGE,
  image_settings: [{ key_image: IMAGE }, { key_image: IMAGE, prompt: 'a slow turn' }],
};

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** JSON; specs read it field by field. */
  readonly body: ReturnType<typeof JSON.parse>;
}

function providing(provide: symbol, useValue: object): DynamicModule {
  return { module: class {}, providers: [{ provide, useValue }], exports: [provide] };
}

function heardBy(errors: string[]): Pick<Logger, 'info' | 'warn' | 'error'> {
  const silent = createLogger('silent');
  const error = (_fields: object, message: string): void => void errors.push(message);
  return { info: silent.info.bind(silent), warn: silent.warn.bind(silent), error: error as Logger['error'] };
}

/** The address of the request itself. */
const ADDRESS = { publicUrl: null, trustForwarded: false, publicScheme: 'http', prefix: '' } as const;

/** A partner proxy as clients meet it, with both simulated vendors, on a database of its own. */
export class TestProxy {
  private constructor(
    readonly database: TestDatabase,
    readonly app: NestFastifyApplication,
    private readonly vendor: SimulatedVendor,
    private readonly given: {
      readonly vendorKey: string;
      readonly metrics: MetricsRegistry;
      readonly errors: readonly string[];
    },
  ) {}

  get vendorKey(): string {
    return this.given.vendorKey;
  }

  get metrics(): MetricsRegistry {
    return this.given.metrics;
  }

  /** Lines of the log at the level error. */
  get errors(): readonly string[] {
    return this.given.errors;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.app.getHttpServer().address() as AddressInfo).port}`;
  }

  /** `vendorUrl`: another vendor than the simulated ones. */
  static async open(
    changes: Partial<PartnerProxySettings> = {},
    credits: TaskCreditsPort = new TaskCreditsFake(1_000_000_000),
    vendorUrl: string | null = null,
  ): Promise<TestProxy> {
    const database = await freshDatabase({ migrations: [PARTNER_PROXY_MIGRATIONS] });
    const vendorKey = `vendor-key-${randomBytes(12).toString('hex')}`;
    const imageWebhookSecret = `whsec_${randomBytes(24).toString('base64')}`;
    const vendor = await startSimulatedVendor({ videoKey: vendorKey, imageKey: vendorKey, imageWebhookSecret });
    const settings = new PartnerProxySettings({ surface: 'managed', pollMs: 100, timeoutMs: 1_000, ...changes });
    const access = { url: vendorUrl ?? vendor.url, key: new Secret(vendorKey) };
    const metrics = new MetricsRegistry();
    const errors: string[] = [];
    const module = PartnerProxyModule.register({
      database,
      settings,
      prices: DEFAULT_PRICES,
      vendors: { video: access, image: access },
      callbackSecrets: { video: new Secret(vendorKey), image: new Secret(imageWebhookSecret) },
      pepper: new Secret('a pepper of the tests that is long enough'),
      metrics,
      logger: heardBy(errors),
      imports: [providing(KEY_CHECK, KEYS), providing(TASK_CREDITS_PORT, credits)],
    });
    const app: NestFastifyApplication = await createHttpApplication(module, {
      api: REGISTRY_API,
      limits: HTTP_DEFAULTS,
      bodyBytesOf: proxyBodyBytes,
      logger: createLogger('silent'),
      tracer: null,
      guard: (request) => {
        noteAddress(request, ADDRESS);
        return checkCredentialsForm(request.raw);
      },
      admit: (request) => app.get(ProxyGate).admit(request),
      streamedBodies: new Set(),
      connections: new ConnectionGuard(CONNECTION_DEFAULTS),
      bodies: new BodyBudget(100_000_000),
      observe: () => undefined,
    });
    await app.listen(0, '127.0.0.1');
    return new TestProxy(database, app, vendor, { vendorKey, metrics, errors });
  }

  async call(
    method: string,
    path: string,
    init: { key?: string; body?: unknown; headers?: object } = {},
  ): Promise<ProxyAnswer> {
    const { key = 'key-ann', body, headers = {} } = init;
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(this.url + path, {
      method,
      headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers } as Record<string, string>,
      ...(body === undefined ? {} : { body: sent }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? null : JSON.parse(text) };
  }

  /** With headers that fetch sets by itself, such as Date. */
  async post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<ProxyAnswer> {
    return await new Promise((resolve, reject) => {
      const sent = request(this.url + path, { method: 'POST', headers, agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const parsed: unknown = text === '' ? null : JSON.parse(text);
          resolve({ status: answer.statusCode ?? 0, headers: new Headers(), text, body: parsed });
        });
      });
      sent.on('error', reject).end(body);
    });
  }

  /** A multiframe; `changes`: fields beside or instead of the good ones. */
  async video(changes: object = {}, headers: object = {}): Promise<ProxyAnswer> {
    return await this.call('POST', '/proxy/videovendor/multiframe', { body: { ...MULTIFRAME, ...changes }, headers });
  }

  async readVideo(taskId: string, key = 'key-ann'): Promise<ProxyAnswer> {
    return await this.call('GET', `/proxy/videovendor/tasks/${taskId}/creations`, { key });
  }

  /** The first read for which it holds. */
  async until(read: () => Promise<ProxyAnswer>, holds: (body: ProxyAnswer['body']) => boolean): Promise<ProxyAnswer> {
    for (const deadline = Date.now() + 10_000; ; await new Promise((done) => setTimeout(done, 50))) {
      const answer = await read();
      if (holds(answer.body)) return answer;
      if (Date.now() > deadline) throw new Error(`it did not come about: ${answer.text}`);
    }
  }

  async sweep(): Promise<void> {
    await this.app.get(TaskSweep).run();
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.vendor.close();
    await this.database.drop();
  }
}
