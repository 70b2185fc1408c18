import { join, resolve } from 'node:path';
import { API_KEY } from '@heddle/platform-credentials';
import { declareSettings, optionalText, readDeclared, seconds, SettingRefused } from '@heddle/platform-settings';
import type { Declaration, SettingValues } from '@heddle/platform-settings';

/** A revocation must take effect everywhere within 30 s (accounts, Revocation): for requests and for open streams. */
const MAX_KEY_CACHE_S = 30;

/** What an operator sets of accounts and their keys. */
export const ACCOUNTS_SETTINGS = declareSettings('accounts', {
  bootstrapKey: wellFormed(
    optionalText('BOOTSTRAP_KEY', {
      meaning: 'managed and dedicated: API key of the account default, which the first start makes',
      secret: true,
    }),
  ),
  keyPepper: optionalText('KEY_PEPPER', {
    unit: 'file',
    meaning: 'pepper of stored keys; unset: standalone makes key-pepper in HEDDLE_DATA',
  }),
  keyCache: atMost(
    MAX_KEY_CACHE_S,
    seconds('KEY_CACHE_S', 15, { meaning: 'how long a key is believed without a look-up, at most 30 s' }),
  ),
});

/** Refused at the start, before anything is written; the refusal does not repeat the key. */
function wellFormed(declaration: Declaration<string | null>): Declaration<string | null> {
  const read = (text: string | undefined): string | null => {
    const key = declaration.read(text);
    if (key === null || API_KEY.idIn(key) !== null) return key;
    throw new SettingRefused(
      `HEDDLE_${declaration.name} must have the form of a key, hdl_<id>_<secret>_<checksum>: heddle keys create makes one`,
    );
  };
  return { ...declaration, read };
}

function atMost(limit: number, declaration: Declaration<number>): Declaration<number> {
  const read = (text: string | undefined): number => {
    const value = declaration.read(text);
    if (value <= limit) return value;
    throw new SettingRefused(`HEDDLE_${declaration.name} must be at most ${limit}, not "${text}"`);
  };
  return { ...declaration, read };
}

/** What an operator set, in the context's own terms: durations in milliseconds. */
export function accountsSettings(values: SettingValues<typeof ACCOUNTS_SETTINGS>) {
  return { keyCacheMs: values.keyCache * 1_000 };
}

/**
 * The file of the pepper of stored keys. `mayMake`: standalone makes a missing one in its data folder; the gateways of a
 * cluster must be given the same file.
 *
 * @throws SettingRefused where no file is given and none may be made
 */
export function pepperFileOf(
  { keyPepper, data }: { readonly keyPepper: string | null; readonly data: string },
  mayMake: boolean,
): string {
  if (keyPepper !== null) return keyPepper;
  if (!mayMake) throw new SettingRefused('HEDDLE_KEY_PEPPER is unset: all gateways need the file of one pepper');
  return join(resolve(data), 'key-pepper');
}

const DEFAULTS = accountsSettings(readDeclared(ACCOUNTS_SETTINGS, {}));

/** What the accounts context keeps to; without changes, the defaults of the declarations. */
export class AccountsSettings {
  /** How long a key is believed after the look-up of it began. */
  readonly keyCacheMs: number = DEFAULTS.keyCacheMs;
  /** A key that is followed is looked up at most this often, whatever the cache believes. */
  readonly followMs: number = 5_000;
  /** A key that is followed has ended if it could not be looked up for so long. */
  readonly maxUncheckedMs: number = MAX_KEY_CACHE_S * 1_000;
  /** Good keys in the cache: about 1 KiB each. */
  readonly cachedKeys: number = 20_000;
  /** Ids in the cache that no good key has: about 150 bytes each. */
  readonly cachedRefusals: number = 20_000;

  constructor(changes: Partial<AccountsSettings> = {}) {
    Object.assign(this, changes);
  }
}
