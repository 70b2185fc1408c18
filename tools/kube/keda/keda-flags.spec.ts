import { describe, expect, it } from 'vitest';
import { adapterFlags, adapterObjects, operatorFlags, type KedaPlan } from './keda-flags.ts';

const PLAN: KedaPlan = {
  kubeconfig: '/k',
  certificates: '/c',
  ports: { metricValues: 1, probes: 2, adapter: 3, adapterMetrics: 4 },
};

describe('the processes of KEDA', () => {
  it('meet at one port with certificates of one authority', () => {
    expect(operatorFlags(PLAN)).toContain('--metrics-service-bind-address=127.0.0.1:1');
    expect(adapterFlags(PLAN)).toContain('--metrics-service-address=127.0.0.1:1');
    for (const flags of [operatorFlags(PLAN), adapterFlags(PLAN)]) expect(flags).toContain('--cert-dir=/c');
  });

  it('listen at loopback alone, as far as they have settings for it', () => {
    const bound = [...operatorFlags(PLAN), ...adapterFlags(PLAN)].filter((flag) => /^--[\w-]*bind-address=/.test(flag));
    expect(bound).toHaveLength(3);
    expect(bound.filter((flag) => !flag.includes('=127.0.0.1'))).toEqual([]);
  });

  it('are found by the API server under a name, at the port of the adapter', () => {
    const [, service, registration] = adapterObjects(PLAN);
    expect(service).toMatchObject({ spec: { type: 'ExternalName', externalName: 'localhost' } });
    expect(registration).toMatchObject({ spec: { service: { name: 'keda-metrics-apiserver', port: 3 } } });
  });
});
