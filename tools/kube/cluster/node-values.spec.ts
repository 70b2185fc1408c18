import { describe, expect, it } from 'vitest';
import { nodeValues } from './node-values.ts';

describe('the values of the platform on a real node', () => {
  const values = nodeValues('0.1.0-abc', {
    ownerUrl: 'postgres://heddle:secret@10.197.0.1:5001/heddle',
    brokers: ['10.197.0.1:5002'],
    s3: { endpoint: 'http://10.197.0.1:5003', bucket: 'heddle', accessKey: 'a', secretKey: 'b' },
  });

  it('let pods to the ports of the servers alone', () => {
    const at = (port: number): object[] => [{ to: { ipBlock: { cidr: '10.197.0.1/32' } }, ports: [port] }];
    expect(values).toMatchObject({
      networkPolicy: { egress: { database: at(5_001), kafka: at(5_002), s3: at(5_003) } },
    });
  });

  it('hold no secret', () => {
    expect(JSON.stringify(values)).not.toContain('secret@');
    expect(values).toMatchObject({ database: { existingSecret: 'heddle-database' }, image: { tag: '0.1.0-abc' } });
  });
});
