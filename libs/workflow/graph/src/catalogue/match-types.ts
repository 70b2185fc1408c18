import type { Catalogue } from './catalogue.js';

const ANY = '*';
const MATCH_TYPE = 'COMFY_MATCHTYPE_V3';

/**
 * True if the engine accepts an output of one type for an input of another. Types are names, comma-joined unions, or
 * the JSON text of a list of options.
 */
export function typesMatch(received: string, declared: string, catalogue: Catalogue): boolean {
  if (received === declared || received === ANY || declared === ANY) return true;
  if (received === MATCH_TYPE || declared === MATCH_TYPE) return true;
  if (isList(received)) return declared === 'COMBO' && !catalogue.older;
  if (isList(declared)) return false;
  if (!received.includes(',') && !declared.includes(',')) return received.trim() === declared.trim();
  const offered = members(received);
  const wanted = members(declared);
  if (offered.includes(ANY) || wanted.includes(ANY)) return true;
  return offered.some((type) => wanted.includes(type));
}

function isList(type: string): boolean {
  return type.startsWith('[');
}

function members(type: string): string[] {
  return type.split(',').map((member) => member.trim());
}
