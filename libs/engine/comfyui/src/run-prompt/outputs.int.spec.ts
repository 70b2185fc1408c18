import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingObserver } from '@heddle/testing-engine';
import { SMALL_PNG } from '@heddle/engine-comfyui-server/scripted';
import { GRAPH, ScriptedDrive, until } from '../scripted-drive.fixture.js';

describe('the outputs of a prompt', () => {
  let drive: ScriptedDrive;
  beforeEach(async () => {
    drive = await ScriptedDrive.start();
  });
  afterEach(() => drive.close());

  it('are of every kind, in the order of the engine, and none is dropped', async () => {
    drive.engine.onPrompt(async (play) => {
      play.node('1');
      play.node('2', {
        images: [
          await play.file('a.png', SMALL_PNG, 'output', 'sub folder'),
          await play.file('t.webp', SMALL_PNG, 'temp'),
        ],
        animated: [true],
        audio: [await play.file('s_00001_.flac', SMALL_PNG)],
        gifs: [{ ...(await play.file('clip.mp4', SMALL_PNG)), format: 'video/h264-mp4', frame_rate: 8 }],
        latents: [await play.file('l.latent', SMALL_PNG)],
        '3d': [await play.file('mesh.glb', SMALL_PNG)],
        text: ['one', 'two'],
        strings: 'three' as never,
        result: [null, { azimuth: 1 }],
        files: [await play.file('data.xyz', SMALL_PNG)],
      });
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    const seen = observer.outputs.map(({ key, name, type, contentType }) => [key, name, type, contentType]);
    expect(seen).toEqual(
      [
        ['2/images/0', 'a.png', 'image', 'image/png'],
        ['2/images/1', 't.webp', 'image', 'image/webp'],
        ['2/audio/0', 's_00001_.flac', 'audio', 'audio/flac'],
        ['2/gifs/0', 'clip.mp4', 'video', 'video/mp4'],
        ['2/latents/0', 'l.latent', 'latent', 'application/octet-stream'],
        ['2/3d/0', 'mesh.glb', 'file', 'model/gltf-binary'],
        ['2/text/0', '2_0.txt', 'text', 'text/plain; charset=utf-8'],
        ['2/text/1', '2_1.txt', 'text', 'text/plain; charset=utf-8'],
        ['2/strings/0', '2_2.txt', 'text', 'text/plain; charset=utf-8'],
        ['2/result/1', '2_result_1.json', 'file', 'application/json'],
        ['2/files/0', 'data.xyz', 'file', 'application/octet-stream'],
      ].map((row) => [...row]),
    );
    expect(observer.outputs[0]?.bytes).toEqual(SMALL_PNG);
    expect(observer.outputs[8]?.bytes.toString()).toBe('three');
  });

  it('are offered while the prompt still runs', async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    drive.engine.onPrompt(async (play) => {
      play.node('2', { images: [await play.file('early.png', SMALL_PNG)] });
      play.begin('1');
      await held;
    });
    const observer = new RecordingObserver();
    const ending = drive.run(observer);
    await observer.called('output 2/images/0');
    await until(() => observer.outputs.length === 1);
    goOn();
    expect(await ending).toEqual({ kind: 'succeeded' });
  });

  it('come from the history if the socket did not report them, each once', async () => {
    drive.engine.tamperMessages((message) =>
      Buffer.isBuffer(message) || message.type !== 'executed' ? 'send' : 'drop',
    );
    drive.engine.onPrompt(async (play) => {
      play.node('2', { images: [await play.file('unheard.png', SMALL_PNG)], text: ['x'] });
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs.map(({ name }) => name)).toEqual(['unheard.png', '2_0.txt']);
  });

  it('fail the run by name when the engine lists a file that it does not have', async () => {
    drive.engine.onPrompt(async (play) => {
      play.node('2', { images: [{ filename: 'gone.png', subfolder: '', type: 'output' }] });
    });
    const outcome = await drive.run();
    expect(outcome).toMatchObject({ kind: 'failed', code: 'engine_error' });
    expect(outcome).toHaveProperty('message', expect.stringMatching(/gone\.png of node 2 .* 404/));
  });

  it('are asked for again when the engine answers with a passing fault', async () => {
    drive.engine.breakRequests({ path: '/view', times: 2, fault: { kind: 'status', status: 500 } });
    const observer = new RecordingObserver();
    expect(await drive.run(observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs).toHaveLength(1);
  });

  it('end the run with the error of a reader that cannot take them, and the engine stops', async () => {
    let wasStopped = false;
    drive.engine.onPrompt(async (play) => {
      play.node('2', { text: ['x'] });
      play.begin('1');
      await play.interrupted();
      wasStopped = true;
      return { kind: 'interrupted' };
    });
    const observer = new RecordingObserver(() => Promise.reject(new Error('the store is full')));
    await expect(drive.run(observer)).rejects.toThrow('the store is full');
    await until(() => wasStopped);
  });

  it('fail if the engine sends less than it announced, and the reader gets the error', async () => {
    drive.engine.breakRequests({ path: '/view', fault: { kind: 'short', declared: 100_000, sent: 1_000 } });
    await expect(drive.run(new RecordingObserver())).rejects.toThrow();
  });

  it('of a node that sends pictures over the socket alone are outputs too', async () => {
    const graph = { ...GRAPH, '3': { class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } } };
    drive.engine.onPrompt(async (play) => {
      play.node('1');
      play.begin('3');
      for (let i = 0; i < 2; i += 1) drive.engine.sendToAll(preview(play.prompt.id, '3', SMALL_PNG));
      play.finish('3');
    });
    const observer = new RecordingObserver();
    expect(await drive.run(observer, { graph })).toEqual({ kind: 'succeeded' });
    expect(observer.calls.filter((call) => call === 'preview 3')).toHaveLength(2);
    expect(observer.outputs.map(({ key, name, bytes }) => [key, name, bytes.equals(SMALL_PNG)])).toEqual([
      ['3/images/0', '3_0.png', true],
      ['3/images/1', '3_1.png', true],
    ]);
  });

  it('that came over the socket alone are not missed silently: the attempt is lost', async () => {
    const graph = { '3': { class_type: 'SaveImageWebsocket', inputs: {} } };
    drive.engine.onPrompt(async (play) => {
      play.begin('3');
      drive.engine.dropSockets();
      play.finish('3');
    });
    expect(await drive.run(new RecordingObserver(), { graph })).toMatchObject({
      kind: 'lost',
      reason: expect.stringContaining('images'),
    });
  });
});

function preview(promptId: string, nodeId: string, bytes: Uint8Array): Buffer {
  const metadata = Buffer.from(
    JSON.stringify({ node_id: nodeId, display_node_id: nodeId, prompt_id: promptId, image_type: 'image/png' }),
  );
  const head = Buffer.alloc(8);
  head.writeUInt32BE(4, 0);
  head.writeUInt32BE(metadata.length, 4);
  return Buffer.concat([head, metadata, bytes]);
}
