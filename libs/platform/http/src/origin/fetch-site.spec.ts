import { expect, it } from 'vitest';
import { isFromOwnSite } from './fetch-site.js';

it.each([undefined, 'none', 'same-origin', 'same-site', 'Same-Origin', ' none ', 'none, none', ['none', 'same-site']])(
  'lets %j pass',
  (header) => expect(isFromOwnSite(header)).toBe(true),
);

it.each(['cross-site', 'Cross-Site', 'cross-site ', 'none, cross-site', 'none,', '', 'other', ['none', 'cross-site']])(
  'does not let %j pass',
  (header) => expect(isFromOwnSite(header)).toBe(false),
);
