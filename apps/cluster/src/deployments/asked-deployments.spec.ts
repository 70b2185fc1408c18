import { describe, expect, it } from 'vitest';
import { readDeployments, withDeployments } from './asked-deployments.js';

describe('--deployments', () => {
  it('names deployments and the number of their workers', () => {
    expect(readDeployments('alpha=1, beta=32')).toEqual([
      { label: 'alpha', workers: 1 },
      { label: 'beta', workers: 32 },
    ]);
  });

  it.each([
    ['Alpha=1', '"Alpha" is not a label. A label has 1 to 63 characters of a-z, 0-9 and -'],
    ['stg=1', '"stg" is not a label. The label stg is reserved.'],
    ['managed=1', 'The label managed is reserved.'],
    ['a.b=1', '"a.b" is not a label'],
    [`${'x'.repeat(64)}=1`, 'is not a label'],
    ['', '"" is not a label'],
    ['alpha=1,', '"" is not a label'],
    ['alpha', 'alpha needs a whole number of workers from 1 to 32, not ""; for example alpha=1'],
    ['alpha=0', 'alpha needs a whole number of workers from 1 to 32, not "0"'],
    ['alpha=-1', 'not "-1"'],
    ['alpha=1.5', 'not "1.5"'],
    ['alpha=33', 'not "33"'],
    ['alpha=many', 'not "many"'],
    ['alpha=1=2', 'not "1=2"'],
    ['alpha=1,beta=2,alpha=1', '--deployments names alpha twice: name each deployment once'],
  ])('refuses %j', (text, message) => {
    expect(() => readDeployments(text)).toThrow(message);
  });

  it('chooses surface and host, unless the operator names others', () => {
    const asked = readDeployments('alpha=1');
    const chosen = { HEDDLE_SURFACE: 'managed', HEDDLE_DEPLOYMENT_HOST: 'run.localhost' };
    expect(withDeployments({}, asked)).toEqual(chosen);
    const own = { HEDDLE_SURFACE: 'dedicated', HEDDLE_DEPLOYMENT_HOST: 'run.example' };
    expect(withDeployments(own, asked)).toEqual(own);
    expect(withDeployments({}, [])).toEqual({});
    expect(() => withDeployments({ HEDDLE_SURFACE: 'self-hosted' }, asked)).toThrow(
      'HEDDLE_SURFACE=managed or dedicated',
    );
  });
});
