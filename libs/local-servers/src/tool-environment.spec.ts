import { afterEach, describe, expect, it } from 'vitest';
import { toolEnvironment } from './tool-environment.js';

const GIVEN = { GOPROXY: 'https://proxy.example', MAVEN_OPTS: '-Xmx1g', JAVA_HOME: '/opt/java' };
const SECRET = {
  HEDDLE_DATABASE_URL: 'postgres://owner',
  HEDDLE_STATIC_TOKEN: 'x',
  PGPASSWORD: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  GOOGLE_APPLICATION_CREDENTIALS: '/root/key.json',
  GOOGLE_API_KEY: 'x',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x',
};

describe('what a server of a cluster, or a tool that builds it, is given of the environment', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('is what it reads itself and what the system reads, and no secret', () => {
    process.env = { PATH: '/usr/bin', HOME: '/root', ...GIVEN, ...SECRET };
    expect(toolEnvironment()).toEqual({ PATH: '/usr/bin', HOME: '/root', ...GIVEN });
  });
});
