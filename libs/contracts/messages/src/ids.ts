/** Branded identifiers: all are lower-case UUID strings. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type AccountId = Branded<'AccountId'>;
export type DeploymentId = Branded<'DeploymentId'>;
export type JobId = Branded<'JobId'>;
export type AssetId = Branded<'AssetId'>;
/** Of a task of the partner proxy. */
export type TaskId = Branded<'TaskId'>;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Before every other id, and the id of nobody. Released database functions keep the literal. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** True for the only spelling of a UUID that Heddle issues; anything else is an unknown id (404), not an error. */
export function isUuid(text: string): boolean {
  return text.length === 36 && uuidForm.test(text);
}

const pool = new Uint8Array(4096);
let used = pool.length;
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A new UUIDv7 (RFC 9562): time-ordered, so that indexes grow at one end. Random bytes are drawn in pools. */
export function newUuid(nowMs: number = Date.now()): string {
  if (used + 10 > pool.length) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  const at = used;
  used += 10;
  const time = nowMs.toString(16).padStart(12, '0');
  const byte = (index: number): string => hex[pool[at + index]!]!;
  const version = hex[(pool[at]! & 0x0f) | 0x70]! + byte(1);
  const variant = hex[(pool[at + 2]! & 0x3f) | 0x80]! + byte(3);
  const rest = byte(4) + byte(5) + byte(6) + byte(7) + byte(8) + byte(9);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`;
}
