import { wrongUsage } from '../failure.js';
import type { PlaceNames } from './place-names.js';

/** People write `host:port` as a URL, but a parser takes `localhost` for a scheme. */
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}(?:\/|$)/i;

/** The address of a service as its user gave it; wrong usage if it is none. */
export function parseBase(given: string, { option, example }: PlaceNames): URL {
  const url = HOST_AND_PORT.test(given) ? `http://${given}` : given;
  if (!URL.canParse(url))
    throw wrongUsage(
      `${option} "${given}" is not a valid URL`,
      `an example: ${option} http://${example}, or ${option} ${example}`,
    );
  const base = new URL(url);
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw wrongUsage(`${option} must begin with http:// or https://, not ${base.protocol}`);
  return base;
}
