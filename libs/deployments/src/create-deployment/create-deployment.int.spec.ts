import { describe, expect, it } from 'vitest';
import { BUILTIN, DeploymentsForSpecs, named, viewOf } from '../deployments-under-test.fixture.js';

describe('deployments', () => {
  const spec = new DeploymentsForSpecs();

  it('are created once, whoever asks', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => spec.deployments.create(named('once'))));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(viewOf(await spec.deployments.create(named('once', { stage: 'staging' }))).stage).toBe('staging');
    for (const label of ['stg', 'managed', 'a.b', 'A', 'x'.repeat(64), '']) {
      expect(await spec.deployments.create(named(label))).toMatchObject({ refusal: { kind: 'option' } });
    }
    expect(await spec.deployments.create(named('near', { provider: 'local' }))).toMatchObject({
      refusal: { kind: 'option' },
    });
    for (const environment of [
      { ...BUILTIN, catalogue: Buffer.from('{}') },
      { ...BUILTIN, catalogue: Buffer.from('[') },
      { ...BUILTIN, catalogue: Buffer.from('{"error":"not found"}') },
      { ...BUILTIN, catalogue: Buffer.from('{"KSampler":{"output":7}}') },
      { ...BUILTIN, engine: 'ftp://x' },
      { ...BUILTIN, engine: 'http://somebody:a-password@127.0.0.1:8188' },
      { ...BUILTIN, engine: 'http://somebody@127.0.0.1:8188' },
    ]) {
      const answer = await spec.deployments.create(named('near', { environment }));
      expect(answer).toMatchObject({ refusal: { kind: 'option' } });
      expect(JSON.stringify(answer)).not.toContain('somebody');
    }
  });
});
