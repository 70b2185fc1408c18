import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

const BELOW_LOCALHOST = /\.localhost\.?$/i;

/** Names below `localhost` are this machine (RFC 6761, 6.3), as browsers and curl know; resolvers of systems often do not. */
export const localhostLookup: LookupFunction = (hostname, options, done) => {
  if (!BELOW_LOCALHOST.test(hostname)) return lookup(hostname, options, done);
  const [address, family] = ['127.0.0.1', 4];
  if (options.all === true) return done(null, [{ address, family }]);
  done(null, address, family);
};
