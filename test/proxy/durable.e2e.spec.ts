import { pictureGraph, withoutUrlExpiry } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { useScriptedProxy } from './proxy.js';

describe('jobs and outputs', () => {
  const proxy = useScriptedProxy();

  it('outlive the engine, its history and its files, and a restart of Heddle', async () => {
    const { id } = await proxy.client.submitted(pictureGraph());
    const { outputs } = await proxy.client.reached(id, 'succeeded');
    const [output] = outputs;
    const before = (await proxy.client.follow(output!.url)).bytes;
    await proxy.engine.goDown();
    await proxy.restart();
    const job = await proxy.client.jobNow(id);
    expect(withoutUrlExpiry(job)).toMatchObject({ status: 'succeeded', outputs: withoutUrlExpiry(outputs) });
    expect((await proxy.client.follow(output!.url)).bytes.equals(before)).toBe(true);
    expect(before).toHaveLength(output!.size_bytes);
    await proxy.engine.comeUp();
  });
});
