import { RejectionError } from '@heddle/platform-http';
import { describe, expect, it } from 'vitest';
import { ChangeBody } from '../change-credits/change-body.dto.js';
import { AccountBody } from '../create-account/account-body.dto.js';
import { DeploymentBody, EnvironmentBody, OptionsBody } from '../create-deployment/deployment-body.dto.js';
import { KeyBody } from '../create-key/key-body.dto.js';
import { RotationBody } from '../rotate-key/rotation-body.dto.js';
import { LimitsBody } from '../set-account-limits/limits-body.dto.js';
import { PriceBody } from '../set-price/price-body.dto.js';
import { adminBody } from './admin-body.js';

const BODIES = [
  [AccountBody, { name: 'acme', limits: { running: 2 } }, 'nme', 'name'],
  [LimitsBody, { limits: { queue_depth: null } }, 'limit', 'limits'],
  [KeyBody, { account: 'acme', name: null, scopes: [], expires_in: 60 }, 'expire_in', 'expires_in'],
  [RotationBody, { overlap: 0 }, 'overlapp', 'overlap'],
  [ChangeBody, { amount: 5, note: 'order' }, 'notes', 'note'],
  [PriceBody, { per_job: 1, per_second: 0.5 }, 'perjob', 'per_job'],
  [OptionsBody, { slots: 2, public_demo: true, queue_depth: null }, 'slot', 'slots'],
  [EnvironmentBody, { engine: 'builtin' }, 'engin', 'engine'],
  [DeploymentBody, { label: 'alpha', stage: 'staging', account: null, provider: null }, 'acount', 'account'],
] as const;

async function fieldsOf(read: Promise<unknown>): Promise<unknown> {
  const error: unknown = await read.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof RejectionError ? error.rejection.details?.['fields'] : error;
}

describe('the body of an admin call', () => {
  it.each(BODIES)(
    '%o takes the fields that it has, and names the nearest one of another',
    async (Body, good, wrong, near) => {
      const read = (fields: object) =>
        fieldsOf(adminBody<object>(() => Promise.resolve(Body)).transform(Buffer.from(JSON.stringify(fields))));
      expect(await read(good)).toBeNull();
      expect(await read({ ...good, [wrong]: 1 })).toEqual({ [wrong]: `does not exist; the nearest one is ${near}` });
    },
  );

  it('is judged in its parts too', async () => {
    const read = (text: string) => fieldsOf(adminBody(() => Promise.resolve(AccountBody)).transform(Buffer.from(text)));
    expect(await read('{"name":"acme","limits":{"runing":2}}')).toEqual({
      'limits.runing': 'does not exist; the nearest one is running',
    });
    const environment = { image: 1, packages: [{ id: 'a', version: '1', extra: 1 }] };
    const body = Buffer.from(JSON.stringify({ label: 'alpha', environment }));
    expect(await fieldsOf(adminBody(() => Promise.resolve(DeploymentBody)).transform(body))).toEqual({
      'environment.image': 'must be a string',
      'environment.packages': 'must be a list of {"id", "version"}',
    });
    expect(await read('{"name":"acme","limits":[]}')).toEqual({ limits: 'must be an object' });
    expect(await read('{"name":"acme","limits":{"__proto__":{"running":2}}}')).toHaveProperty(['limits.__proto__']);
    expect(await read('{"name":"acme","colour":1}')).toEqual({ colour: 'does not exist; the fields are name, limits' });
  });
});
