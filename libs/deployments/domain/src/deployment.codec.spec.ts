import { UndecodableEvent } from '@heddle/event-codec';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeDeploymentEvent, DEPLOYMENT_EVENT_TYPES, encodeDeploymentEvent } from './deployment.codec.js';

const folder = new URL('../samples/', import.meta.url);
const samples = readdirSync(folder).map((file) => {
  const [type, version] = file.split('.') as [string, string];
  const text = JSON.stringify(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return { type, version: Number(version.slice(1)), text };
});

describe('frozen samples of the events of a deployment', () => {
  it.each(samples)('$type of schema version $version decodes, and encodes to the same bytes', (sample) => {
    const newer = JSON.stringify({ ...JSON.parse(sample.text), fieldOfALaterBuild: 1 });
    for (const stored of [sample.text, newer]) {
      expect(encodeDeploymentEvent(decodeDeploymentEvent(sample.type, sample.version, stored))).toBe(sample.text);
    }
  });

  it('exist for every event type', () => {
    expect(samples.map(({ type }) => type).sort()).toEqual([...DEPLOYMENT_EVENT_TYPES].sort());
  });

  it('are all that this build reads', () => {
    for (const [type, version, data] of [
      ['DeploymentMoved', 1, '{}'],
      ['constructor', 1, '{}'],
      ['DeploymentReady', 2, '{"reason":"x"}'],
      ['DeploymentReady', 1, '{'],
      ['DeploymentReady', 1, '{"reason":1}'],
    ] as const) {
      expect(() => decodeDeploymentEvent(type, version, data)).toThrow(UndecodableEvent);
    }
  });
});
