import { RemoteValidation } from '@heddle/internal-api';
import { servedValidation, VALIDATION_CALLS } from '@heddle/internal-api/serve';
import { unknownFilesRejection } from '@heddle/contracts-messages';
import type { SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import { afterAll, describe, expect, it } from 'vitest';
import { channelTo, servingCalls } from './grpc-servers.js';
import { describeRefusals } from './refused-calls.suite.js';
import { bodyOf, describeValidationPort } from './validation-port.suite.js';
import type { BoundValidation } from './validation-port.suite.js';

const MIB = 1024 ** 2;

async function overGrpc(local: ValidationPort, bounds: { maxBodyBytes?: number } = {}): Promise<BoundValidation> {
  const server = await servingCalls(servedValidation(local), bounds);
  const channel = channelTo('validation', [server.url], bounds);
  const close = async (): Promise<void> => {
    await channel.close();
    await server.close();
  };
  return { port: new RemoteValidation(channel), close };
}

describeValidationPort('in one process', (local) => Promise.resolve({ port: local, close: () => Promise.resolve() }));
describeValidationPort('over gRPC', (local) => overGrpc(local));

const failing: ValidationPort = {
  validate: () => Promise.reject(new Error('a secret of the service')),
  missingPackages: () => Promise.reject(new Error('a secret of the service')),
};
describeRefusals('validation', servedValidation(failing)[0]!);

describe('the validation service', () => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it('that fails reveals neither the cause nor the request', async () => {
    const { port, close } = await overGrpc(failing);
    closing.push(close);
    const failed = { name: 'CallFailedError', service: 'validation', code: 'failed' };
    await expect(port.validate(bodyOf(['a.png']), null)).rejects.toMatchObject(failed);
    await expect(port.validate(bodyOf(['a.png']), null)).rejects.not.toThrow(/secret/);
  });

  it('takes as large a body as HEDDLE_BODY_BYTES lets a gateway take, and refuses a larger one', async () => {
    const verdict: SubmissionVerdict = { kind: 'malformed', rejection: unknownFilesRejection([]) };
    const local: ValidationPort = { ...failing, validate: () => Promise.resolve(verdict) };
    const body = Buffer.alloc(30 * MIB, ' ');
    const bounds = { maxBodyBytes: 30 * MIB };
    const raised = await overGrpc(local, bounds);
    const usual = await overGrpc(local);
    closing.push(raised.close, usual.close);
    expect(await raised.port.validate(body, null)).toEqual(verdict);
    const tooLarge = { name: 'CallRefusedError', status: 413, code: 'too_large' };
    await expect(usual.port.validate(body, null)).rejects.toMatchObject(tooLarge);
  });

  it('refuses more submissions than a message may have', async () => {
    const server = await servingCalls(servedValidation(failing));
    const channel = channelTo('validation', [server.url]);
    closing.push(
      () => channel.close(),
      () => server.close(),
    );
    const submissions = Array.from({ length: 257 }, () => ({
      body: Buffer.from('{}'),
      origin: undefined,
      catalogue: undefined,
    }));
    const call = channel.call(VALIDATION_CALLS.definition.validate, { submissions });
    await expect(call).rejects.toMatchObject({ name: 'CallRefusedError', status: 400, code: 'malformed' });
  });
});
