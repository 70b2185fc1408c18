import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MultipartLimits, MultipartRefusal } from './multipart-limits.js';
import { MultipartReader } from './multipart-reader.js';

const limits: MultipartLimits = {
  fileBytes: 10_000,
  totalBytes: 100_000,
  headBytes: 8192,
  fieldBytes: 4096,
  parts: 16,
  tags: 16,
};

interface Reading {
  readonly fields: [string, string][];
  readonly file: string | null;
  readonly refusal: MultipartRefusal | null;
}

function read(boundary: string, chunks: readonly Buffer[], changed: Partial<MultipartLimits> = {}): Reading {
  const fields: [string, string][] = [];
  let data: Buffer[] | null = null;
  let whole = false;
  const reader = new MultipartReader(
    boundary,
    { ...limits, ...changed },
    {
      field: (name, value) => fields.push([name, value]),
      fileStart: () => (data = []),
      fileData: (slice) => data!.push(Buffer.from(slice)),
      fileEnd: () => (whole = true),
    },
  );
  for (const chunk of chunks) if (reader.push(chunk) !== null) break;
  const refusal = reader.end();
  return { fields, file: whole && data !== null ? Buffer.concat(data).toString('latin1') : null, refusal };
}

const part = (head: string, body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`, 'latin1'), Buffer.from(body), Buffer.from('\r\n')]);
const field = (name: string, body: string | Buffer): Buffer =>
  part(`Content-Disposition: form-data; name="${name}"`, body);
const file = (body: string | Buffer): Buffer => part('Content-Disposition: form-data; name="file"; filename="x"', body);
const body = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from('--b--\r\n')]);
const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

describe('a multipart body', () => {
  it('gives its fields and its file in any order and any cut', () => {
    const bytes = body(field('content_type', 'image/png'), file('a\r\n--bytes\r\n-'), field('file_path', 'ü.png'));
    for (let size = 1; size <= bytes.length; size += 1) {
      const reading = read('b', cut(bytes.subarray(), size));
      // "--b" is a prefix of "--bytes": a body that contains its own delimiter is malformed, however it is cut.
      expect(reading.refusal?.kind).toBe('malformed');
    }
    const clean = body(field('content_type', 'image/png'), file('a\r\n--c\r\n-\r\n\r\n'), field('file_path', 'ü.png'));
    for (let size = 1; size <= clean.length; size += 1) {
      expect(read('b', cut(clean, size))).toEqual({
        fields: [
          ['content_type', 'image/png'],
          ['file_path', 'ü.png'],
        ],
        file: 'a\r\n--c\r\n-\r\n\r\n',
        refusal: null,
      });
    }
  });

  it('may have a preamble, padding after a boundary, an epilogue and empty values', () => {
    const bytes = Buffer.from(
      'ignored\r\n--b \t\r\nContent-Disposition: form-data; name=tags\r\n\r\n\r\n--b\r\n' +
        'content-disposition: form-data; name="file"\r\n\r\n\r\n--b--\r\nepilogue --b\r\n--b\r\n',
    );
    for (const size of [1, 7, 1000]) {
      expect(read('b', cut(bytes, size))).toEqual({ fields: [['tags', '']], file: '', refusal: null });
    }
  });

  it('agrees with what was encoded, for random contents full of pieces of the boundary', () => {
    const boundaries = fc.stringMatching(/^[0-9A-Za-z'()+_,./:=?-]{1,70}$/);
    const piece = (boundary: string): fc.Arbitrary<string> =>
      fc.oneof(
        fc.constantFrom('\r', '\n', '\r\n', '--', '\r\n--', '\r\r\n--', `--${boundary}`, '\r\n-'),
        fc.nat(boundary.length - 1).map((length) => `\r\n--${boundary.slice(0, length)}`),
        fc.string({ maxLength: 20 }),
      );
    const cases = boundaries.chain((boundary) =>
      fc.record({
        boundary: fc.constant(boundary),
        contents: fc.array(
          fc
            .array(piece(boundary), { maxLength: 12 })
            .map((pieces) => pieces.join('').replaceAll(`\r\n--${boundary}`, '*')),
          { minLength: 1, maxLength: 8 },
        ),
        fileAt: fc.nat(7),
        cuts: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 30 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ boundary, contents, fileAt, cuts }) => {
        const at = fileAt % contents.length;
        const name = (index: number): string => (index === at ? 'file' : `field${index}`);
        const encoded = contents.map(
          (content, index) =>
            `--${boundary}\r\nContent-Disposition: form-data; name="${name(index)}"\r\n\r\n${content}\r\n`,
        );
        const bytes = Buffer.from(`${encoded.join('')}--${boundary}--`);
        const chunks: Buffer[] = [];
        for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
          const size = cuts[turn % cuts.length]!;
          chunks.push(bytes.subarray(from, from + size));
          from += size;
        }
        const reading = read(boundary, chunks);
        expect(reading.refusal).toBeNull();
        expect(reading.file).toBe(Buffer.from(contents[at]!).toString('latin1'));
        expect(reading.fields).toEqual(
          contents.flatMap((content, index) => (index === at ? [] : [[name(index), content]])),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('answers damaged bytes with a refusal or a reading, never an exception, and the same for every cut', () => {
    const clean = body(field('content_type', 'a/b'), file('\r\n--\r\nbytes'), field('tags', 'x'), field('tags', 'y'));
    const damage = fc.array(
      fc.record({
        at: fc.nat(clean.length - 1),
        drop: fc.nat(9),
        put: fc.constantFrom('', '\r', '\n', '\r\n--b', '--', '"', ';', ':', '\0', 'é'),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(damage, fc.integer({ min: 1, max: 40 }), (damages, size) => {
        let bytes = clean;
        for (const { at, drop, put } of damages) {
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + drop)]);
        }
        const { refusal } = read('b', [bytes]);
        expect(read('b', cut(bytes, size)).refusal).toEqual(refusal);
        if (refusal === null) expect(read('b', cut(bytes, size))).toEqual(read('b', [bytes]));
      }),
      { numRuns: 1500 },
    );
  });
});

describe('a malformed multipart body is refused', () => {
  const refused = (bytes: Buffer | string, changed: Partial<MultipartLimits> = {}): MultipartRefusal | null => {
    const whole = Buffer.from(bytes);
    const refusal = read('b', [whole], changed).refusal;
    expect(read('b', cut(whole, 13), changed).refusal).toEqual(refusal);
    return refusal;
  };

  it.each([
    ['an empty body', ''],
    ['no boundary at all', 'hello'],
    ['another boundary', '--c\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--c--\r\n'],
    ['no final boundary', Buffer.concat([file('x')])],
    ['a truncated final boundary', Buffer.concat([file('x'), Buffer.from('--b-')])],
    ['a part without headers', '--b\r\n\r\nx\r\n--b--\r\n'],
    ['a part head that never ends', '--b\r\nContent-Disposition: form-data; name="file"\r\n--b--\r\n'],
    ['a folded header', body(part('Content-Disposition: form-data;\r\n name="file"', 'x'))],
    ['a header without a colon', body(part('Content-Disposition form-data', 'x'))],
    [
      'two dispositions',
      body(part('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="file"', 'x')),
    ],
    ['two names', body(part('Content-Disposition: form-data; name="a"; name="file"', 'x'))],
    ['no name', body(part('Content-Disposition: form-data; filename="x"', 'x'))],
    ['an attachment', body(part('Content-Disposition: attachment; name="file"', 'x'))],
    ['base64', body(part('Content-Disposition: form-data; name="file"\r\nContent-Transfer-Encoding: base64', 'eA=='))],
    ['two files', body(file('x'), file('y'))],
    ['a repeated field', body(field('file_path', 'x'), field('file_path', 'y'), file('x'))],
    ['a field that is no UTF-8', body(field('file_path', Buffer.from([0xff])), file('x'))],
    ['a boundary with something behind it', body(file('x\r\n--bogus'))],
  ])('%s', (_, bytes) => {
    expect(refused(bytes)?.kind).toBe('malformed');
  });

  it('at one over each limit and at ten times the limit, and accepted at the limit', () => {
    const over = (
      make: (size: number) => Buffer,
      limit: number,
      changed: Partial<MultipartLimits>,
      kind: string,
    ): void => {
      expect(refused(make(limit), changed)).toBeNull();
      expect(refused(make(limit + 1), changed)?.kind).toBe(kind);
      expect(refused(make(limit * 10), changed)?.kind).toBe(kind);
    };
    over((size) => body(file('x'.repeat(size))), 50, { fileBytes: 50 }, 'too_large');
    over((size) => body(field('a', 'x'.repeat(size))), 50, { fieldBytes: 50 }, 'malformed');
    over((size) => body(...Array.from({ length: size }, (_, at) => field(`f${at}`, ''))), 5, { parts: 5 }, 'malformed');
    over((size) => body(...Array.from({ length: size }, () => field('tags', 't'))), 5, { tags: 5 }, 'malformed');
    const head = 'Content-Disposition: form-data; name="a"\r\nX: ';
    over((size) => body(part(head + 'x'.repeat(size - head.length), '')), 200, { headBytes: 200 }, 'malformed');
    const frame = body(file('')).length;
    over((size) => body(file('x'.repeat(size - frame))), 150, { totalBytes: 150 }, 'too_large');
    over(
      (size) => Buffer.concat([Buffer.from('p'.repeat(size - 2) + '\r\n'), body()]),
      40,
      { headBytes: 40 },
      'malformed',
    );
  });

  it('names the field at fault', () => {
    expect(refused(body(field('file_path', 'x'), field('file_path', 'y')))).toMatchObject({ field: 'file_path' });
  });
});

describe('the name of a part', () => {
  it.each([
    'form-data; name="file"; filename="a"b.png"',
    'form-data; name="file"; filename="a\\"; name=\\"tags.png"',
    'form-data; name="file"; filename="x"; name="tags"',
    'FORM-DATA ;NAME=file;filename=a b c',
    'form-data; filename="a; name=tags"; name="file"',
    'form-data; name="f\\ile"',
  ])('is file in %s', (disposition) => {
    expect(read('b', [body(part(`Content-Disposition: ${disposition}`, 'x'))])).toMatchObject({
      file: 'x',
      refusal: null,
    });
  });
});
