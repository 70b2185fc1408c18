import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { API_KEY, CredentialDigest } from '@heddle/platform-credentials';
import { ACCOUNT_USE_PORT, ACCOUNTS_PORT, KEY_CHECK } from '@heddle/contracts-messages';
import type { AccountsPort, KeyCheck, Secret } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { AccountsDatabase } from './accounts-database/accounts-database.js';
import { AccountsMetrics } from './accounts-metrics.js';
import { ACCOUNTS_ROLE } from './accounts-schema/accounts-migrations.js';
import { CheckKeyHandler } from './check-key/check-key.handler.js';
import { KeyCache } from './check-key/key-cache.js';
import { KeyLookup } from './check-key/key-lookup.js';
import { CreateAccountHandler } from './create-account/create-account.handler.js';
import { CreateKeyHandler } from './create-key/create-key.handler.js';
import { FollowedKeys } from './follow-key/followed-keys.js';
import { FindAccountsHandler } from './find-accounts/find-accounts.handler.js';
import { ListAccountsHandler } from './list-accounts/list-accounts.handler.js';
import { ListKeysHandler } from './list-keys/list-keys.handler.js';
import { MakeFirstKeyHandler } from './make-first-key/make-first-key.handler.js';
import { KeyUse } from './note-key-use/key-use.js';
import { RevokeKeyHandler } from './revoke-key/revoke-key.handler.js';
import { RotateKeyHandler } from './rotate-key/rotate-key.handler.js';
import { SetLimitsHandler } from './set-limits/set-limits.handler.js';
import { AccountsSettings } from './settings.js';
import { SettleUseHandler } from './settle-use/settle-use.handler.js';
import { ShareLimits } from './share-limits/share-limits.js';
import { ShowAccountHandler } from './show-account/show-account.handler.js';
import { SuspendAccountHandler } from './suspend-account/suspend-account.handler.js';

interface AccountsModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  /** Of all gateways the same; `readPepper` reads it. */
  readonly pepper: Secret;
  readonly settings?: Partial<AccountsSettings>;
  readonly metrics?: MetricsRegistry;
  /** Other gateways may serve the same accounts: together they enforce what an account may read and follow. */
  readonly sharesUse?: boolean;
  /** Modules that provide JOB_LIMITS_PORT and STORAGE_PORT; absent: these limits are not enforced. */
  readonly imports?: readonly (Type<unknown> | DynamicModule)[];
}

const keyCheck = {
  provide: KEY_CHECK,
  inject: [CheckKeyHandler, FollowedKeys],
  useFactory: (keys: CheckKeyHandler, followed: FollowedKeys): KeyCheck => ({
    check: (key) => keys.handle(key),
    isWellFormed: (key) => API_KEY.idIn(key) !== null,
    follow: (holder, ended) => followed.follow(holder, ended),
  }),
};

const accountHandlers = [
  CreateAccountHandler,
  ShowAccountHandler,
  ListAccountsHandler,
  SetLimitsHandler,
  SuspendAccountHandler,
  FindAccountsHandler,
] as const;

const keyHandlers = [CreateKeyHandler, ListKeysHandler, RevokeKeyHandler, RotateKeyHandler] as const;

type Handlers<Types extends readonly (abstract new (...parts: never) => unknown)[]> = {
  [At in keyof Types]: InstanceType<Types[At]>;
};

type AccountCalls = Omit<AccountsPort, keyof KeyCalls>;
type KeyCalls = Pick<AccountsPort, 'createKey' | 'listKeys' | 'revokeKey' | 'rotateKey'>;

function accountCalls(...handlers: Handlers<typeof accountHandlers>): AccountCalls {
  const [create, show, list, limits, suspend, find] = handlers;
  return {
    create: (name, given) => create.handle(name, given),
    show: (name) => show.handle(name),
    list: (part) => list.handle(part),
    setLimits: (name, changes) => limits.handle(name, changes),
    suspend: (name) => suspend.handle(name, 'suspend'),
    resume: (name) => suspend.handle(name, 'resume'),
    idOf: async (name) => {
      const found = await show.handle(name);
      return found.ok ? found.value.accountId : null;
    },
    namesOf: (ids) => find.handle(ids),
  };
}

function keyCalls(...[create, list, revoke, rotate]: Handlers<typeof keyHandlers>): KeyCalls {
  return {
    createKey: (request) => create.handle(request),
    listKeys: (account, part) => list.handle(account, part),
    revokeKey: (keyId) => revoke.handle(keyId),
    rotateKey: (keyId, overlapS) => rotate.handle(keyId, overlapS),
  };
}

const ACCOUNT_CALLS = Symbol('AccountCalls');
const KEY_CALLS = Symbol('KeyCalls');

const accountsPort = [
  { provide: ACCOUNT_CALLS, inject: [...accountHandlers], useFactory: accountCalls },
  { provide: KEY_CALLS, inject: [...keyHandlers], useFactory: keyCalls },
  {
    provide: ACCOUNTS_PORT,
    inject: [ACCOUNT_CALLS, KEY_CALLS],
    useFactory: (accounts: AccountCalls, keys: KeyCalls): AccountsPort => ({ ...accounts, ...keys }),
  },
];

/** Accounts, their limits and their API keys. */
@Module({})
export class AccountsModule {
  static register(options: AccountsModuleOptions): DynamicModule {
    const settings = new AccountsSettings(options.settings);
    const { keyCacheMs, cachedKeys, cachedRefusals } = settings;
    const cache = new KeyCache({ lifeMs: keyCacheMs, good: cachedKeys, bad: cachedRefusals });
    const metrics = new AccountsMetrics(options.metrics ?? new MetricsRegistry(), cache);
    const use = options.sharesUse === true ? [{ provide: ACCOUNT_USE_PORT, useClass: SettleUseHandler }] : [];
    return {
      module: AccountsModule,
      imports: [...(options.imports ?? [])],
      providers: [
        { provide: AccountsDatabase, useValue: new AccountsDatabase(options.database.pool(ACCOUNTS_ROLE)) },
        { provide: AccountsMetrics, useValue: metrics },
        { provide: AccountsSettings, useValue: settings },
        { provide: KeyCache, useValue: cache },
        { provide: CredentialDigest, useValue: new CredentialDigest(options.pepper) },
        KeyUse,
        KeyLookup,
        CheckKeyHandler,
        FollowedKeys,
        ShareLimits,
        ...accountHandlers,
        ...keyHandlers,
        MakeFirstKeyHandler,
        keyCheck,
        ...accountsPort,
        ...use,
      ],
      exports: [...use.map(({ provide }) => provide), KEY_CHECK, ACCOUNTS_PORT, MakeFirstKeyHandler],
    };
  }
}
