import { expect, it } from 'vitest';
import { loggedPath } from './logged-path.js';

it('a logged path has neither the query nor a key', () => {
  const key = `hdl_0123456789abcdef_${'A'.repeat(43)}_00000000`;
  expect(loggedPath(`/admin/v1/keys/${key}/revoke?token=x`)).toBe('/admin/v1/keys/hdl_…/revoke');
  expect(loggedPath(`/admin/v1/keys/${key.replaceAll('_', '%5f')}/revoke`)).toBe('/admin/v1/keys/hdl_…/revoke');
  expect(loggedPath('/admin/v1/accounts/a%20b')).toBe('/admin/v1/accounts/a%20b');
  expect(loggedPath('/admin/v1/accounts/acme')).toBe('/admin/v1/accounts/acme');
});
