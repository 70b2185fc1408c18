import { API_KEY } from '@heddle/platform-credentials';
import { Secret } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccounts, valueOf } from '../accounts-under-test.fixture.js';
import type { AccountsUnderTest } from '../accounts-under-test.fixture.js';
import { ACCOUNTS_MIGRATIONS } from '../accounts-schema/accounts-migrations.js';

const GIVEN = API_KEY.format('first00000000000', 'A'.repeat(43));

describe('the first start', () => {
  let db: TestDatabase;
  let here: AccountsUnderTest;
  beforeEach(async () => {
    db = await freshDatabase({ migrations: [ACCOUNTS_MIGRATIONS] });
    here = await openAccounts(db.database);
  });
  afterEach(async () => {
    await here.close();
    await db.drop();
  });

  it('makes the account default with the given key, which is not printed', async () => {
    expect(await here.keys.check(GIVEN)).toBeNull();
    expect(await here.firstKey.handle(new Secret(GIVEN))).toBeNull();
    expect(await here.keys.check(GIVEN)).toMatchObject({ accountName: 'default', keyId: 'first00000000000' });
  });

  it('makes a key where none is given, and hands it out once', async () => {
    const made = await here.firstKey.handle(null);
    expect(await here.keys.check(made!.reveal())).toMatchObject({ accountName: 'default' });
    expect(await here.firstKey.handle(null)).toBeNull();
    await here.firstKey.handle(new Secret(GIVEN));
    expect(await here.keys.check(GIVEN)).toBeNull();
  });

  it('makes one account and one key if several processes start at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, async () => await here.firstKey.handle(null)));
    expect(made.filter((key) => key !== null)).toHaveLength(1);
    expect(valueOf(await here.accounts.listKeys('default', { after: null, limit: 10 }))).toHaveLength(1);
  });
});
