import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { CallFixture, nowhere } from '../calls.fixture.js';
import type { UploadRoute } from './byte-route.js';

const fixture = new CallFixture();
afterEach(() => fixture.close());

const CALL = { path: '/v1/up', head: null };
const sent = (): typeof CALL & { body: Readable } => ({ ...CALL, body: Readable.from([Buffer.alloc(10)]) });
const route = (answer: string): UploadRoute => ({
  kind: 'upload',
  path: CALL.path,
  openTo: ['gateway'],
  handle: async (_, body) => {
    for await (const _chunk of body);
    return answer;
  },
});

describe('a port for bytes alone', () => {
  it('serves the routes of bytes beside the port for calls, and no gRPC', async () => {
    const { url, bytesUrl } = await fixture.port([route('taken')], { bytesPort: 0 });
    expect(bytesUrl).not.toBe(url);
    for (const target of [url, bytesUrl!]) {
      const client = fixture.bytesClient([target]);
      expect(await client.upload(sent())).toBe('taken');
    }
    expect(await fixture.channel([url]).probe(5_000)).toBeNull();
    expect(await fixture.channel([bytesUrl!]).probe(1_000)).toContain('did not answer');
  });
});

describe('a caller of a service whose previous version serves bytes elsewhere', () => {
  it('uploads there while the port for bytes does not answer', async () => {
    const former = await fixture.port([route('former')]);
    const client = fixture.bytesClient([nowhere()], { formerTargets: [former.url] });
    for (let n = 0; n < 3; n += 1) expect(await client.upload(sent())).toBe('former');
  });

  it('leaves that place alone while a port for bytes answers', async () => {
    const [own, former] = [await fixture.port([route('own')]), await fixture.port([route('former')])];
    const client = fixture.bytesClient([nowhere(), own.url], { formerTargets: [former.url] });
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await client.upload(sent()));
    expect(new Set(answers)).toEqual(new Set(['own']));
  });

  it('may be given the same address twice', async () => {
    const own = await fixture.port([route('own')]);
    const client = fixture.bytesClient([own.url], { formerTargets: [own.url] });
    expect(await client.upload(sent())).toBe('own');
  });
});
