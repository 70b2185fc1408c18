import { isIPv4 } from 'node:net';
import { withoutDot } from './allowed-targets.js';
import type { AllowedTargets } from './allowed-targets.js';
import { isPublicAddress } from './public-address.js';
import { TargetRefusedError } from './target-fault.js';
import type { TargetFault } from './target-fault.js';

/** What URLs of one kind, such as callbacks, may be. */
export interface TargetRules {
  readonly schemes: readonly ('http:' | 'https:')[];
  readonly allowed: AllowedTargets;
  /** Hosts of this service and of what is below them, without port: a call to itself could go on for ever. */
  readonly ownHosts: readonly string[];
}

/** Code points */
const MAX_TARGET_LENGTH = 2_048;
const MIN_FREE_PORT = 1_024;
const WEB_PORTS = ['', '80', '443'];
/** The parser drops tabs and line feeds and reads a backslash as a slash; other parsers do not, so the URL has two readings. */
const AMBIGUOUS = /[\p{Cc}\p{Cs}\p{Z}\\]/u;
/** Names that no public server of names answers for: reserved ones, and those that networks and routers use. */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|lan|home|corp|intranet|private|invalid)$/;

/** What is wrong with a URL, without resolving its name; null: nothing. */
export function targetFault(text: string, rules: TargetRules): TargetFault | null {
  const url = readUrl(text);
  return typeof url === 'string' ? url : faultOf(url, rules);
}

/** The URL, if the rules permit it. */
export function targetUrl(text: string, rules: TargetRules): URL {
  const url = readUrl(text);
  const fault = typeof url === 'string' ? url : faultOf(url, rules);
  if (fault !== null) throw new TargetRefusedError(fault);
  return url as URL;
}

function readUrl(text: string): URL | TargetFault {
  if (text.length > 2 * MAX_TARGET_LENGTH || [...text].length > MAX_TARGET_LENGTH) return 'length';
  if (AMBIGUOUS.test(text)) return 'character';
  return URL.parse(text) ?? 'form';
}

function faultOf(url: URL, { schemes, allowed, ownHosts }: TargetRules): TargetFault | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'user_info';
  if (allowed.has(url)) return null;
  if (!schemes.includes(url.protocol)) return 'scheme';
  const host = withoutDot(url.hostname);
  if (ownHosts.some((own) => host === own || host.endsWith(`.${own}`))) return 'own_host';
  if (!WEB_PORTS.includes(url.port) && Number(url.port) < MIN_FREE_PORT) return 'port';
  const literal = addressLiteral(url);
  if (literal !== null) return isPublicAddress(literal) ? null : 'private_address';
  // A name of one label is found only inside of a network.
  return LOCAL_NAME.test(host) || !host.includes('.') ? 'local_name' : null;
}

/** The address that stands in a URL, in the spelling of the parser: decimal, octal and hex forms are resolved. Null: a name. */
export function addressLiteral({ hostname }: URL): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return isIPv4(hostname) ? hostname : null;
}
