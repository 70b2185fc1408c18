import { describe, expect, it } from 'vitest';
import {
  apiServerFlags,
  controllerManagerFlags,
  etcdFlags,
  schedulerFlags,
  type ControlPlanePlan,
} from './control-plane-flags.ts';

const pair = (name: string): { certificate: string; key: string } => ({
  certificate: `/c/${name}.crt`,
  key: `/c/${name}.key`,
});
const PLAN: ControlPlanePlan = {
  ports: { etcd: 1, etcdPeers: 2, apiServer: 3, controllerManager: 4, scheduler: 5 },
  etcdData: '/data',
  authority: pair('ca'),
  server: pair('api-server'),
  admin: pair('admin'),
  frontProxy: pair('front-proxy'),
  serviceAccounts: pair('service-accounts'),
  kubeconfigs: { controllerManager: '/c/controller-manager', scheduler: '/c/scheduler' },
};

describe('the command lines of the control plane', () => {
  it('listen at loopback alone', () => {
    const all = [etcdFlags, apiServerFlags, controllerManagerFlags, schedulerFlags].map((flags) => flags(PLAN));
    for (const flags of all) {
      expect(flags.filter((flag) => flag.includes('0.0.0.0') || flag.includes('[::]'))).toEqual([]);
      expect(flags.some((flag) => /^--(bind-address=|listen-client-urls=http:\/\/)127\.0\.0\.1/.test(flag))).toBe(true);
    }
  });

  it('advertise no address of the API server, as no pod could call it', () => {
    expect(apiServerFlags(PLAN)).toContain('--endpoint-reconciler-type=none');
    expect(apiServerFlags(PLAN).join(' ')).not.toContain('--advertise-address');
  });

  it('sign tokens of service accounts with the key whose public half the API server knows', () => {
    expect(apiServerFlags(PLAN)).toContain('--service-account-key-file=/c/service-accounts.crt');
    expect(controllerManagerFlags(PLAN)).toContain('--service-account-private-key-file=/c/service-accounts.key');
  });

  it('tell servers behind the API server whom to believe', () => {
    const flags = apiServerFlags(PLAN);
    expect(flags).toContain('--proxy-client-cert-file=/c/front-proxy.crt');
    // The authority also signs clients, so the name is needed.
    expect(flags).toContain('--requestheader-allowed-names=heddle-front-proxy');
  });

  it('give every client its own kubeconfig', () => {
    expect(controllerManagerFlags(PLAN)).toContain('--kubeconfig=/c/controller-manager');
    expect(schedulerFlags(PLAN)).toContain('--kubeconfig=/c/scheduler');
  });
});
