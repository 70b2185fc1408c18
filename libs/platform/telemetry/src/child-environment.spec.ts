import { describe, expect, it } from 'vitest';
import {
  databaseEnvironment,
  standaloneEnvironment,
  systemEnvironment,
  systemWithoutTelemetry,
} from './child-environment.js';

const OF_DATABASE = { PGPASSWORD: 'p', PGSSLMODE: 'require', PGSSLROOTCERT: '/etc/ca.pem' };
const OF_TELEMETRY = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x' };

describe('the environment of a process that Heddle starts', () => {
  it('has what the driver of the database reads only where it is asked for', () => {
    const env = { ...OF_DATABASE, HEDDLE_PORT: '0', PATH: '/bin', PAGER: 'less', OTHER: 'x' };
    expect(databaseEnvironment(env)).toEqual(OF_DATABASE);
    expect(standaloneEnvironment(env)).toEqual({ HEDDLE_PORT: '0', PATH: '/bin' });
    expect(systemEnvironment(env)).toEqual({ PATH: '/bin' });
  });

  it('has the settings of telemetry where the process sends any', () => {
    const env = { ...OF_TELEMETRY, LC_ALL: 'C' };
    expect(systemEnvironment(env)).toEqual(env);
    expect(systemWithoutTelemetry(env)).toEqual({ LC_ALL: 'C' });
  });
});
