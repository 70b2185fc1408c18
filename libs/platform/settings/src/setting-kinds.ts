import { isIP } from 'node:net';
import { SettingRefused } from './setting.js';
import type { Declaration, SettingRange } from './setting.js';
import { loopbackOf } from './wildcard-address.js';

const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** A name has 253 characters, of which a label and `.stg.` take 68. */
const MAX_DOMAIN = 185;

/** Ranges of limits that only a mistake makes larger. */
export const ANY_COUNT = { min: 0, max: 1_000_000_000 };
export const AT_LEAST_ONE = { min: 1, max: 1_000_000_000 };

/** Minimum of a duration that must not be 0. */
export const MIN_DURATION_S = 0.1;

interface About {
  readonly unit?: string;
  readonly meaning: string;
}

export function wholeNumber(
  name: string,
  fallback: number,
  range: { min: number; max: number },
  about: About,
): Declaration<number> {
  return numeric(name, fallback, { ...range, whole: true }, about);
}

/** Seconds, with fractions so that tests reach every limit. */
export function seconds(name: string, fallback: number, about: About): Declaration<number> {
  return numeric(name, fallback, { min: 0, max: 10 ** 10, whole: false }, { unit: 's', ...about });
}

/** Seconds of an interval, a time-out or a lifetime: 0 would make a busy loop, or end what it limits before it began. */
export function positiveSeconds(name: string, fallback: number, about: About): Declaration<number> {
  return numeric(name, fallback, { min: MIN_DURATION_S, max: 10 ** 10, whole: false }, { unit: 's', ...about });
}

export function optionalSeconds(name: string, about: About & { unsetMeans: string }): Declaration<number | null> {
  const inner = positiveSeconds(name, MIN_DURATION_S, about);
  return { ...inner, defaultText: about.unsetMeans, read: (text) => (isUnset(text) ? null : inner.read(text)) };
}

/** A whole number whose default is derived from other values. */
export function optionalWholeNumber(
  name: string,
  range: { min: number; max: number },
  about: About & { unsetMeans: string },
): Declaration<number | null> {
  const inner = wholeNumber(name, 0, range, about);
  return { ...inner, defaultText: about.unsetMeans, read: (text) => (isUnset(text) ? null : inner.read(text)) };
}

export function text(name: string, fallback: string, about: About): Declaration<string> {
  const read = (given: string | undefined): string => (isUnset(given) ? fallback : given);
  return describe(name, fallback, about, read);
}

/** A text, or null. `fromFile`: a file may hold it; the default for a secret. */
export function optionalText(
  name: string,
  about: About & { secret?: boolean; fromFile?: boolean },
): Declaration<string | null> {
  const read = (given: string | undefined): string | null => (isUnset(given) ? null : given);
  const { secret = false, fromFile = secret } = about;
  return { ...describe(name, 'unset', about, read), secret, fromFile };
}

/** A token that a client sends in a header. */
export function optionalToken(name: string, about: About): Declaration<string | null> {
  const given = optionalText(name, { ...about, secret: true });
  return {
    ...given,
    read: (text) => {
      const token = given.read(text);
      const fault = token === null ? null : tokenFault(token);
      // The token is a secret, and is not repeated.
      if (fault !== null) throw new SettingRefused(`HEDDLE_${name} is an invalid token: ${fault}`);
      return token;
    },
  };
}

/** Why no HTTP client can send this token in a header; null if one can. */
export function tokenFault(token: string): string | null {
  return /^[\x21-\x7e]+$/.test(token) ? null : 'it contains spaces or non-ASCII characters';
}

export function list(name: string, about: About): Declaration<readonly string[]> {
  const read = (given: string | undefined): readonly string[] =>
    isUnset(given)
      ? []
      : given
          .split(',')
          .map((entry) => entry.trim())
          .filter((entry) => entry !== '');
  return describe(name, 'none', about, read);
}

/** Hosts as in a `Host` header: lower case, without a port, IPv6 addresses in brackets. */
export function hosts(name: string, about: About): Declaration<readonly string[]> {
  const entries = list(name, about);
  return { ...entries, read: (given) => entries.read(given).map((entry) => hostName(name, entry)) };
}

function hostName(setting: string, entry: string): string {
  const text = entry.toLowerCase();
  const host = isIP(text) === 6 ? `[${text}]` : text.replace(/:\d{1,5}$/, '');
  const isName = /^[a-z0-9._-]+$/.test(host) || (/^\[.+\]$/.test(host) && isIP(host.slice(1, -1)) === 6);
  if (isName && loopbackOf(host) !== null) {
    throw new SettingRefused(
      `HEDDLE_${setting} lists ${entry}, a wildcard address that web pages may call: name one address or host`,
    );
  }
  if (isName) return host;
  throw new SettingRefused(
    `HEDDLE_${setting} lists host names and addresses, such as heddle.lan or 192.0.2.7, without scheme or path, not "${entry}"`,
  );
}

/** A host below which others are: a DNS name in lower case. A port, an address and a path cannot stand behind a label. */
export function optionalDomain(name: string, about: About): Declaration<string | null> {
  const given = optionalText(name, about);
  return { ...given, read: (text) => domainName(name, given.read(text)) };
}

function domainName(setting: string, given: string | null): string | null {
  if (given === null) return null;
  const host = given.toLowerCase().replace(/\.$/, '');
  // A host that ends with a number is an address.
  const isName = DOMAIN.test(host) && host.length <= MAX_DOMAIN && !/(^|\.)\d+$/.test(host);
  if (isName) return host;
  throw new SettingRefused(
    `HEDDLE_${setting} must be a host name, such as run.example.com, without scheme, port or path, not "${given}"`,
  );
}

export function choice<const T extends string>(
  name: string,
  fallback: T,
  values: readonly T[],
  about: About,
): Declaration<T> {
  return describe(name, fallback, { ...about, unit: values.join(' | ') }, (given) => {
    if (isUnset(given)) return fallback;
    const value = values.find((candidate) => candidate === given);
    if (value === undefined)
      throw new SettingRefused(`HEDDLE_${name} must be one of ${values.join(', ')}, not "${given}"`);
    return value;
  });
}

export function flag(name: string, fallback: boolean, about: About): Declaration<boolean> {
  return describe(name, String(fallback), { ...about, unit: 'true | false' }, (given) => {
    if (isUnset(given)) return fallback;
    if (given === 'true' || given === '1') return true;
    if (given === 'false' || given === '0') return false;
    throw new SettingRefused(`HEDDLE_${name} must be true or false, not "${given}"`);
  });
}

function numeric(name: string, fallback: number, rule: SettingRange, about: About): Declaration<number> {
  const read = (given: string | undefined): number => {
    if (isUnset(given)) return fallback;
    const value = Number(given);
    const fits = Number.isFinite(value) && value >= rule.min && value <= rule.max;
    if (given.trim() === '' || !fits || (rule.whole && !Number.isInteger(value))) {
      const kind = rule.whole ? 'a whole number' : 'a number';
      throw new SettingRefused(`HEDDLE_${name} must be ${kind} from ${rule.min} to ${rule.max}, not "${given}"`);
    }
    return value;
  };
  return { ...describe(name, String(fallback), about, read), range: rule };
}

function describe<T>(
  name: string,
  defaultText: string,
  about: About,
  read: (text: string | undefined) => T,
): Declaration<T> {
  return { name, unit: about.unit ?? '', meaning: about.meaning, defaultText, secret: false, fromFile: false, read };
}

/** An empty environment variable counts as unset (decisions, Commands and settings). */
function isUnset(given: string | undefined): given is undefined | '' {
  return given === undefined || given === '';
}
