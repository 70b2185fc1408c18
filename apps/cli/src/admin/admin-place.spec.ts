import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Arguments } from '../command-line/command.js';
import { adminPlace } from './admin-place.js';

const data = mkdtempSync(join(tmpdir(), 'heddle-admin-'));
const noted = { url: 'http://127.0.0.1:9189', token: 'noted' };
writeFileSync(join(data, 'admin.json'), JSON.stringify(noted));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const place = (options: Record<string, string>, env: Record<string, string> = {}) =>
  adminPlace(new Arguments(options), env);

describe('the place of the admin API', () => {
  it('is what the service has noted in its data folder, unless it is given', async () => {
    expect(await place({ data })).toEqual(noted);
    expect(await place({}, { HEDDLE_DATA: data, HEDDLE_ADMIN_URL: '' })).toEqual(noted);
    expect(await place({ data }, { HEDDLE_ADMIN_TOKEN: 'own' })).toEqual({ url: noted.url, token: 'own' });
    const given = { HEDDLE_ADMIN_URL: 'http://10.0.0.1:9189', HEDDLE_ADMIN_TOKEN: 'own' };
    expect(await place({}, given)).toEqual({ url: 'http://10.0.0.1:9189', token: 'own' });
  });

  it('gets the noted token at the noted address alone', async () => {
    await expect(place({ data, 'admin-url': 'http://10.0.0.1:9189' })).rejects.toMatchObject({ exitCode: 2 });
    expect(await place({ data, 'admin-url': `${noted.url}/` })).toEqual(noted);
  });

  it('is unreachable where no service has noted it', async () => {
    await expect(place({ data: join(data, 'nowhere') })).rejects.toMatchObject({ exitCode: 3 });
    const other = mkdtempSync(join(data, 'other-'));
    writeFileSync(join(other, 'admin.json'), '[]');
    await expect(place({ data: other })).rejects.toMatchObject({ exitCode: 3 });
  });
});
