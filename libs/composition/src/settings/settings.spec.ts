import { describe, expect, it } from 'vitest';
import { SettingRefused } from '@heddle/platform-settings';
import { unresolvedHost } from '../process/unresolved-host.js';
import { readSettings } from './settings.js';

describe('the ports of the API and of health', () => {
  it('lie a thousand apart, unless both are given', () => {
    expect(readSettings({ HEDDLE_PORT: '8200' }).effectiveOpsPort).toBe(9200);
    expect(readSettings({ HEDDLE_PORT: '64600', HEDDLE_OPS_PORT: '64601' }).effectiveOpsPort).toBe(64601);
    expect(readSettings({ HEDDLE_PORT: '0' }).effectiveOpsPort).toBe(0);
    expect(readSettings({ HEDDLE_PORT: '0', HEDDLE_OPS_PORT: '0' }).effectiveOpsPort).toBe(0);
  });

  it('are refused where there is no such port, or both are one', () => {
    expect(() => readSettings({ HEDDLE_PORT: '64600' })).toThrow('HEDDLE_OPS_PORT would be 65600');
    expect(() => readSettings({ HEDDLE_PORT: '8200', HEDDLE_OPS_PORT: '8200' })).toThrow('are both 8200');
  });
});

it('refuses a service token beside the file that is read again', () => {
  const both = { HEDDLE_SERVICE_TOKEN: 'canary', HEDDLE_SERVICE_TOKEN_FILE: '/tokens' };
  expect(() => readSettings(both)).toThrow(
    /^HEDDLE_SERVICE_TOKEN and HEDDLE_SERVICE_TOKEN_FILE are both set: unset one of them$/,
  );
});

it('refuses a database URL that is none beside every other problem, and does not repeat it', () => {
  const refused = (): unknown => readSettings({ HEDDLE_DATABASE_URL: 'canary', HEDDLE_WORKERS: '-1' });
  expect(refused).toThrow(/^HEDDLE_WORKERS must be .*\nHEDDLE_DATABASE_URL is not a URL, such as postgres:\/\//);
  expect(refused).not.toThrow('canary');
});

describe('a token that clients send', () => {
  it.each(['HEDDLE_STATIC_TOKEN', 'HEDDLE_ADMIN_TOKEN'])('is refused as %s if no header can carry it', (name) => {
    for (const token of ['a canary', 'canäry', 'canary\t']) {
      const refused = (): unknown => readSettings({ [name]: token });
      expect(refused).toThrow(`${name} is an invalid token: it contains spaces or non-ASCII characters`);
      expect(refused).not.toThrow(token);
    }
    expect(() => readSettings({ [name]: 'visible-ASCII_~!' })).not.toThrow();
  });
});

describe('a duration', () => {
  it.each([
    'HEDDLE_LEASE_S',
    'HEDDLE_HEARTBEAT_S',
    'HEDDLE_PEER_BEAT_S',
    'HEDDLE_CLOCK_TOLERANCE_S',
    'HEDDLE_MAX_RUNTIME_S',
    'HEDDLE_BODY_TIMEOUT_S',
    'HEDDLE_ASSET_SWEEP_S',
    'HEDDLE_UPLOAD_RETENTION_S',
    'HEDDLE_DISK_LOOK_S',
  ])('that must not be 0 is refused as %s', (name) => {
    for (const value of ['0', '0.09'])
      expect(() => readSettings({ [name]: value })).toThrow(
        `${name} must be a number from 0.1 to 10000000000, not "${value}"`,
      );
    expect(() => readSettings({ [name]: '0.1' })).not.toThrow();
  });

  it.each(['HEDDLE_RETRY_DELAY_S', 'HEDDLE_CANCEL_GRACE_S', 'HEDDLE_BLOB_GRACE_S', 'HEDDLE_DRAIN_S'])(
    'that only delays may be 0: %s',
    (name) => expect(() => readSettings({ [name]: '0' })).not.toThrow(),
  );
});

describe('a listen host that cannot be resolved', () => {
  it('is refused in place of what would hold if it could', () => {
    const env = { HEDDLE_HOST: 'nosuch.invalid' };
    const hostRefusal = 'HEDDLE_HOST nosuch.invalid cannot be resolved';
    expect(() => readSettings(env, { hostRefusal })).toThrow(new SettingRefused(hostRefusal));
    expect(readSettings(env, { hostRefusal, of: 'logs' }).host).toBe('nosuch.invalid');
  });

  it('is named with the answer of the look-up, and an address is not looked up', async () => {
    expect(await unresolvedHost('nosuch.invalid')).toMatch(
      /^HEDDLE_HOST nosuch\.invalid cannot be resolved \(\w+\): set it to an address or a host name of this machine$/,
    );
    for (const host of [undefined, '', '127.0.0.1', '::', '[::1]', '0', 'localhost'])
      expect(await unresolvedHost(host)).toBeNull();
  });
});

describe('the duration of a stop', () => {
  it.each(['HEDDLE_DRAIN_S', 'HEDDLE_STREAMS_DRAIN_S'])('is not shorter than %s', (name) => {
    expect(() => readSettings({ [name]: '10' })).toThrow(
      `${name} 10 is longer than a whole stop: set it to HEDDLE_STOP_S (9.5) or less, or raise HEDDLE_STOP_S`,
    );
    expect(readSettings({ [name]: '10', HEDDLE_STOP_S: '10' }).stop).toBe(10);
  });
});

describe('a conflict of settings', () => {
  const DRAIN = 'HEDDLE_DRAIN_S 5 is longer';
  const STREAMS = 'HEDDLE_STREAMS_DRAIN_S 2 is longer';

  it('is refused by a process that reads them, and by one that reads every setting', () => {
    expect(() => readSettings({ HEDDLE_STOP_S: '1' }, { of: 'worker' })).toThrow(DRAIN);
    expect(() => readSettings({ HEDDLE_STOP_S: '1' }, { of: 'gateway' })).toThrow(STREAMS);
    for (const of of [undefined, 'standalone']) {
      expect(() => readSettings({ HEDDLE_STOP_S: '1' }, { of })).toThrow(DRAIN);
      expect(() => readSettings({ HEDDLE_STOP_S: '1' }, { of })).toThrow(STREAMS);
    }
  });

  it('is of no matter to a process that does not read them', () => {
    expect(readSettings({ HEDDLE_STOP_S: '3' }, { of: 'gateway' }).stop).toBe(3);
    expect(readSettings({ HEDDLE_STOP_S: '1' }, { of: 'jobs' }).stop).toBe(1);
    expect(readSettings({ HEDDLE_OPS_PORT: '8189' }, { of: 'jobs' }).opsPort).toBe(8189);
    expect(readSettings({ HEDDLE_HOST: '0.0.0.0' }, { of: 'logs' }).host).toBe('0.0.0.0');
  });

  it('refuses an open address of whoever listens there without what keeps it safe', () => {
    const open = { HEDDLE_HOST: '0.0.0.0' };
    for (const of of ['gateway', 'registry'])
      expect(() => readSettings(open, { of })).toThrow('set HEDDLE_STATIC_TOKEN, or leave HEDDLE_HOST at 127.0.0.1');
    const managed = { ...open, HEDDLE_SURFACE: 'managed' };
    expect(() => readSettings(managed, { of: 'gateway' })).toThrow(
      'set HEDDLE_MANAGED_HOSTS or HEDDLE_PUBLIC_BASE_URL',
    );
    const dedicated = { ...open, HEDDLE_SURFACE: 'dedicated' };
    expect(() => readSettings(dedicated, { of: 'gateway' })).toThrow('set HEDDLE_DEPLOYMENT_HOST');
  });

  it('refuses a health port beyond the last one in every process', () => {
    expect(() => readSettings({ HEDDLE_PORT: '65000' }, { of: 'jobs' })).toThrow('HEDDLE_OPS_PORT would be 66000');
  });
});

describe('the life of signed URLs', () => {
  const managed = { HEDDLE_SURFACE: 'managed' };

  it('ends a quarter of an hour before bytes are deleted, or the start is refused', () => {
    expect(readSettings({ ...managed, HEDDLE_SIGNED_URL_S: '21600' }).signedUrl).toBe(21_600);
    expect(() => readSettings({ ...managed, HEDDLE_SIGNED_URL_S: '21601' })).toThrow(
      'HEDDLE_SIGNED_URL_S 21601 is too long: the bytes of a deleted asset are kept for HEDDLE_BLOB_GRACE_S (22500). Set it to 21600 or less, or raise HEDDLE_BLOB_GRACE_S to 22501 or more',
    );
    expect(() => readSettings({ ...managed, HEDDLE_BLOB_GRACE_S: '22499' })).toThrow(
      'HEDDLE_SIGNED_URL_S 21600 is too',
    );
    expect(readSettings({ ...managed, HEDDLE_SIGNED_URL_S: '604800', HEDDLE_BLOB_GRACE_S: '605700' }).signedUrl).toBe(
      604_800,
    );
  });

  it('is of no matter on self-hosted, which has none', () => {
    expect(readSettings({ HEDDLE_BLOB_GRACE_S: '0' }).blobGrace).toBe(0);
  });
});

describe('the settings of the surfaces', () => {
  it.each(['bad host/', 'run.example:8189', '192.0.2.7', '[::1]', '77', 'http://run.example', '-run.example', 'a..b'])(
    'refuse %s as the host of deployments',
    (host) => {
      expect(() => readSettings({ HEDDLE_DEPLOYMENT_HOST: host })).toThrow(
        `HEDDLE_DEPLOYMENT_HOST must be a host name, such as run.example.com, without scheme, port or path, not "${host}"`,
      );
    },
  );

  it('take it in any letter case and with a last dot', () => {
    expect(readSettings({ HEDDLE_DEPLOYMENT_HOST: 'Run.Example.' }).deploymentHost).toBe('run.example');
  });

  it.each(['run.example', 'api.run.example'])('refuse %s as a managed host below it', (host) => {
    const settings = { HEDDLE_DEPLOYMENT_HOST: 'run.example', HEDDLE_MANAGED_HOSTS: `a.example,${host}` };
    expect(() => readSettings(settings)).toThrow(`HEDDLE_MANAGED_HOSTS lists ${host}, which belongs to`);
    expect(readSettings({ ...settings, HEDDLE_MANAGED_HOSTS: 'overrun.example' }).managedHosts).toHaveLength(1);
  });

  it.each(['managed', 'dedicated'])('refuse a static token beside the keys of %s', (surface) => {
    const settings = { HEDDLE_SURFACE: surface, HEDDLE_STATIC_TOKEN: 'canary' };
    expect(() => readSettings(settings)).toThrow('HEDDLE_STATIC_TOKEN is for the self-hosted surface');
    expect(() => readSettings(settings)).not.toThrow('canary');
  });

  it('refuse a first key of another form, which the refusal does not repeat', () => {
    const settings = { HEDDLE_BOOTSTRAP_KEY: 'hdl_first00000000000_canary_00000000' };
    expect(() => readSettings(settings)).toThrow('HEDDLE_BOOTSTRAP_KEY must have the form of a key');
    expect(() => readSettings(settings)).not.toThrow('canary');
  });
});

describe('the URL of an engine', () => {
  it.each([
    'http://somebody:canary@127.0.0.1:8188',
    'http://canary@127.0.0.1',
    'htp://somebody:canary@127.0.0.1',
    'somebody:canary@host',
  ])('is refused as %s, which the refusal does not repeat', (url) => {
    expect(() => readSettings({ HEDDLE_ENGINE: url })).toThrow('HEDDLE_ENGINE must be builtin or the URL of an engine');
    expect(() => readSettings({ HEDDLE_ENGINE: url })).not.toThrow('canary');
  });
});
