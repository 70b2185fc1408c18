import { assetReference, blake3Of, freshPicture, loadGraph, textGraph } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectNodeErrors, expectRefusal } from './expectations.js';
import { newKey, unknownId, useServer } from './server.js';

describe('POST /api/v2/jobs with asset references', () => {
  const server = useServer();
  const picture = (file_path: string): Promise<Asset> =>
    server.client.uploaded({ bytes: freshPicture(), content_type: 'image/png', file_path });

  it('answers 422 missing_asset to an id that nothing has, and names it (Errors, missing_asset) [JS11]', async () => {
    const id = unknownId();
    const { details } = expectRefusal(await server.client.submit(loadGraph(assetReference(id))), 422, 'missing_asset');
    expect(details?.['missing_ids']).toEqual([id]);
  });

  it.each([
    ['without info', { __type: 'core/ASSET' }],
    ['with an info that is null', { __type: 'core/ASSET', info: null }],
    ['without an id', { __type: 'core/ASSET', info: { file_path: 'x.png' } }],
    ['with a hash alone', { __type: 'core/ASSET', info: { hash: blake3Of(Buffer.from('x')) } }],
    ['with an id that is a number', { __type: 'core/ASSET', info: { id: 7 } }],
    ['with an id that is no UUID', { __type: 'core/ASSET', info: { id: '../etc/passwd' } }],
    ['with an empty id', { __type: 'core/ASSET', info: { id: '' } }],
  ])('answers 422 missing_asset to a reference %s [JS13]', async (_, reference) => {
    expectRefusal(await server.client.submit(loadGraph(reference)), 422, 'missing_asset');
  });

  it('takes the id for authoritative, the hash and path beside it for hints (clients 3.1) [JS13]', async () => {
    const { id } = await picture('hinted.png');
    const reference = assetReference(id, { hash: blake3Of(Buffer.from('other')), file_path: 'wrong.png' });
    const job = await server.client.submitted(loadGraph(reference));
    await server.client.reached(job.id, 'succeeded');
  });

  it('finds references however deep they stand in lists and objects of an input [JS14]', async () => {
    const known = await picture('deep.png');
    const id = unknownId();
    const nest = (reference: object) => ({
      ...textGraph(),
      '1': { class_type: 'PrimitiveString', inputs: { value: 'x', extra: [{ a: [[reference]] }] } },
    });
    expectRefusal(await server.client.submit(nest(assetReference(id))), 422, 'missing_asset');
    await server.client.submitted(nest(assetReference(known.id)));
  });

  it('names every missing id once (Errors, missing_asset)', async () => {
    const [a, b] = [unknownId(), unknownId()];
    const known = await picture('known.png');
    const graph = {
      ...loadGraph(assetReference(a)),
      '20': { class_type: 'LoadImage', inputs: { image: assetReference(b) } },
      '21': { class_type: 'LoadImage', inputs: { image: assetReference(a) } },
      '22': { class_type: 'LoadImage', inputs: { image: assetReference(known.id) } },
    };
    const { details } = expectRefusal(await server.client.submit(graph), 422, 'missing_asset');
    expect([...(details?.['missing_ids'] as string[])].sort()).toEqual([a, b].sort());
  });

  it('looks for assets before it judges the graph (decisions, Order of checks)', async () => {
    const graph = { ...loadGraph(assetReference(unknownId())), '9': { class_type: 'Nope', inputs: {} } };
    expectRefusal(await server.client.submit(graph), 422, 'missing_asset');
  });

  it('does not claim the key for a missing asset (Idempotency rules 3) [ID06]', async () => {
    const key = newKey();
    expectRefusal(await server.client.submit(loadGraph(assetReference(unknownId())), { key }), 422, 'missing_asset');
    await server.client.submitted(textGraph(), { key });
  });

  it.each(['image', 'string'])(
    'takes a reference where a %s constant is meant (decisions, Input files by name)',
    async (kind) => {
      const { id } = await picture('as-value.png');
      const graph =
        kind === 'image'
          ? loadGraph(assetReference(id))
          : { ...textGraph(), '1': { class_type: 'PrimitiveString', inputs: { value: assetReference(id) } } };
      const job = await server.client.submitted(graph);
      await server.client.reached(job.id, 'succeeded');
    },
  );

  it('refuses a reference where a number is meant: invalid_value_type (decisions, Input files by name)', async () => {
    const { id } = await picture('as-number.png');
    const graph = {
      '1': { class_type: 'EmptyImage', inputs: { width: assetReference(id), height: 8, batch_size: 1, color: 0 } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
    };
    expect(expectNodeErrors(await server.client.submit(graph))).toEqual({
      '1': [{ field: 'width', reason: 'invalid_value_type' }],
    });
  });

  it.each(['by-name.png', 'by-name.png [input]', 'sub/by-name.png'])(
    'finds the newest asset by its path in a file input: %s (decisions, Input files by name)',
    async (name) => {
      const older = freshPicture(4, 4);
      const newer = freshPicture(5, 7);
      const file_path = name.replace(' [input]', '');
      await server.client.uploaded({ bytes: older, content_type: 'image/png', file_path });
      await server.client.uploaded({ bytes: newer, content_type: 'image/png', file_path });
      const job = await server.client.submitted(loadGraph(name));
      const { outputs } = await server.client.reached(job.id, 'succeeded');
      const content = await server.client.content(outputs[0]?.id ?? '');
      expect([content.bytes.readUInt32BE(16), content.bytes.readUInt32BE(20)]).toEqual([5, 7]);
    },
  );

  it.each(['', '/etc/passwd', '../x.png', 'x/../../y.png', 'never-uploaded.png', 'x.png [output]', 'x.png [temp]'])(
    'refuses the file name %j that is no asset and no file of the engine (decisions, Input files by name)',
    async (name) => {
      const errors = expectNodeErrors(await server.client.submit(loadGraph(name)));
      expect(Object.keys(errors)).toEqual(['10']);
      expect(errors['10']?.[0]?.field).toBe('image');
    },
  );

  it('names the asset that a misspelt name may mean, after it was decided that nothing answers it', async () => {
    await picture('photos/lake-at-dusk.png');
    const answer = await server.client.submit(loadGraph('photos/lake-at-dsuk.png'));
    const { message } = expectRefusal(answer, 422, 'invalid_workflow');
    expect(message).toContain(
      'No asset or input file is named photos/lake-at-dsuk.png. Did you mean photos/lake-at-dusk.png?',
    );
  });

  it('no longer finds a deleted asset by its name', async () => {
    const { id } = await picture('deleted.png');
    expect((await server.client.deleteAsset(id)).status).toBe(204);
    expectNodeErrors(await server.client.submit(loadGraph('deleted.png')));
  });
});
