import { wrongUsage } from '../failure.js';
import type { PlaceNames } from './place-names.js';

/** People write `host:port` as a URL, but a parser takes `localhost` for a scheme. */
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}(?:\/|$)/i;

/** The address of a service as its user gave it; wrong usage if it is none. */
export function parseBase(given: string, { option, variable, example }: PlaceNames): URL {
  const url = HOST_AND_PORT.test(given) ? `http://${given}` : given;
  if (!URL.canParse(url))
    throw wrongUsage(
      `the address "${given}" is not a valid URL`,
      `${option} and ${variable} take for example http://${example}, or ${example}`,
    );
  const base = new URL(url);
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw wrongUsage(
      `the address "${given}" must begin with http:// or https://, not ${base.protocol}`,
      `${option} and ${variable} take for example http://${example}`,
    );
  return base;
}
