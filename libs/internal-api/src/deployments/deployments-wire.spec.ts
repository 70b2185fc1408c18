import { describe, expect, it } from 'vitest';
import { EmptyAnswerError } from '../encode-values/call-answers.js';
import { DeploymentStage, DeploymentVerb } from '../generated/heddle/deployments/v1/deployments.js';
import { deploymentAnswerOf } from './deployments-wire.js';
import { changesMessage, optionsOf } from './options-wire.js';
import { environmentIn, nameIn, providerIn, verbIn } from './read-call.js';
import { verbMessage } from './verb-wire.js';

describe('calls about deployments', () => {
  it('need a name with a stage that this version knows', () => {
    const stage = DeploymentStage.DEPLOYMENT_STAGE_STAGING;
    expect(nameIn({ label: 'a', stage })).toEqual({ label: 'a', stage: 'staging' });
    const wrong = [DeploymentStage.DEPLOYMENT_STAGE_UNSPECIFIED, DeploymentStage.UNRECOGNIZED];
    for (const message of [undefined, ...wrong.map((one) => ({ label: 'a', stage: one }))]) {
      expect(() => nameIn(message)).toThrow('the call names no deployment');
    }
  });

  it('know each verb, and no other', () => {
    for (const verb of ['pause', 'resume', 'drain', 'start', 'delete'] as const) {
      expect(verbIn(verbMessage(verb))).toBe(verb);
    }
    for (const verb of [DeploymentVerb.DEPLOYMENT_VERB_UNSPECIFIED, DeploymentVerb.UNRECOGNIZED]) {
      expect(() => verbIn(verb)).toThrow('no change that this version knows');
    }
  });

  it('need an environment, and a provider that this version knows or none', () => {
    expect(() => environmentIn(undefined)).toThrow('no environment');
    expect([providerIn(undefined), providerIn('external')]).toEqual([null, 'external']);
    expect(() => providerIn('cloud')).toThrow('cloud is not a provider');
  });

  it('refuse an answer with a word that this version does not know', () => {
    const refused = (kind: string): unknown =>
      deploymentAnswerOf({ result: { $case: 'refusal', value: { kind, message: 'm' } } });
    expect(refused('state')).toEqual({ ok: false, refusal: { kind: 'state', message: 'm' } });
    expect(() => refused('quota')).toThrow(EmptyAnswerError);
  });

  it('carry what is given, a null, and nothing else', () => {
    const limits = { maxRuntimeS: null, jobRetentionS: 0.5, queueDepth: 0 };
    for (const options of [{}, { slots: 0 }, { publicDemo: false, startDelayS: 0 }, { slots: 2, limits }]) {
      expect(optionsOf(changesMessage(options))).toEqual(options);
    }
  });
});
