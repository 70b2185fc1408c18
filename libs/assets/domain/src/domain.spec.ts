import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlobHash, isExpectedHash, matchesExpectedHash } from './blob-hash.js';
import { contentTypeProblem } from './content-type.js';
import { decideDeletion } from './deletion.js';
import { expiresInProblem, parseExpiresIn, retentionSeconds } from './expiry.js';
import { filePathProblem } from './file-path.js';
import { outputFilePath } from './output-name.js';
import { tagSet, tagsProblem } from './tags.js';

const digits = '0123456789abcdef'.repeat(4);

describe('a blob hash', () => {
  it('is blake3: and 64 lower-case hex digits, nothing else', () => {
    expect(isBlobHash(`blake3:${digits}`)).toBe(true);
    for (const text of [digits, `blake3:${digits.toUpperCase()}`, `sha256:${digits}`, `blake3:${digits}0`, '']) {
      expect(isBlobHash(text)).toBe(false);
    }
  });

  it('is compared without regard to case when it is an expected hash', () => {
    expect(isExpectedHash(`blake3:${digits.toUpperCase()}`)).toBe(true);
    expect(isExpectedHash(`BLAKE3:${digits}`)).toBe(false);
    expect(matchesExpectedHash(`blake3:${digits.toUpperCase()}`, `blake3:${digits}`)).toBe(true);
  });
});

describe('a file path', () => {
  it.each(['photo.png', 'models/checkpoints/m.safetensors', 'ü/日本.png', 'a b', '.hidden', 'a..b/c', 'x'.repeat(255)])(
    'accepts %j',
    (path) => {
      expect(filePathProblem(path)).toBeNull();
    },
  );

  it.each([
    '',
    '/etc/x',
    '../x',
    'a/../../x',
    'a/./b',
    'a//b',
    'a/',
    'C:\\x',
    'a\\b',
    'a:b',
    '...',
    'a.',
    'a ',
    'a\u00a0',
    'a./b.png',
    'a /b.png',
    'exe.\u202egpj',
    'a\u202ab',
    'a\u2066b\u2069',
    'a\u0000b',
    'a\u007fb',
    'u\u0308.png',
    '\ud800',
    'x'.repeat(256),
    'ab/'.repeat(341) + 'cd',
  ])('refuses %j', (path) => {
    expect(filePathProblem(path)).not.toBeNull();
  });

  it.each(['a.', 'a. ', '...', ' ', 'exe.\u202egpj', 'a./b ', '\u2066', 'x\u0000', 'é'.repeat(600)])(
    'is made of the name %j that an engine gave an output',
    (name) => {
      expect(filePathProblem(outputFilePath(name))).toBeNull();
    },
  );

  it('never lets a path through that leaves its root', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', 'a', '/', '\\', ':', '%2e', 'é'), { maxLength: 12 }), (parts) => {
        const path = parts.join('');
        const segments = path.split('/');
        const safe = !path.startsWith('/') && !segments.includes('..') && !path.includes('\\');
        return filePathProblem(path) !== null || safe;
      }),
    );
  });
});

describe('the tags of a reference', () => {
  it('are at most sixteen of 1 to 64 bytes', () => {
    expect(tagsProblem(Array.from({ length: 16 }, (_, n) => `t${n}`))).toBeNull();
    expect(tagsProblem(Array.from({ length: 17 }, (_, n) => `t${n}`))).not.toBeNull();
    expect(tagsProblem(['é'.repeat(32)])).toBeNull();
    expect(tagsProblem(['é'.repeat(33)])).not.toBeNull();
    expect(tagsProblem([''])).not.toBeNull();
    expect(tagsProblem(['a\nb'])).not.toBeNull();
  });

  it('are the same in any order and with repetitions', () => {
    expect(tagSet(['b', 'a', 'b'])).toEqual(tagSet(['a', 'b']));
  });
});

describe('a content type', () => {
  it('is a media type with or without parameters', () => {
    expect(contentTypeProblem('image/png')).toBeNull();
    expect(contentTypeProblem('text/plain; charset=utf-8')).toBeNull();
    for (const text of ['', 'image', 'image/', '/png', 'image/png\r\nx: y', `a/${'b'.repeat(126)}`]) {
      expect(contentTypeProblem(text)).not.toBeNull();
    }
  });
});

describe('an expires_in', () => {
  it('is an integer of 60 to 604800 seconds', () => {
    for (const text of ['60', '604800']) expect(expiresInProblem(parseExpiresIn(text))).toBeNull();
    for (const text of ['59', '604801', '-1', '0', 'abc', '60.5', '', '1e3', ' 60']) {
      expect(expiresInProblem(parseExpiresIn(text))).not.toBeNull();
    }
  });

  it('wins over the retention of the surface', () => {
    expect(retentionSeconds(60, null)).toBe(60);
    expect(retentionSeconds(null, 3600)).toBe(3600);
    expect(retentionSeconds(null, null)).toBeNull();
  });
});

describe('the deletion of a record', () => {
  it('is refused under any hold and granted without one', () => {
    const free = { heldByJob: false, outputOfRetainedJob: false, moderationHold: false };
    expect(decideDeletion(free)).toBe('deleted');
    expect(decideDeletion({ ...free, heldByJob: true })).toBe('asset_in_use');
    expect(decideDeletion({ ...free, outputOfRetainedJob: true })).toBe('asset_in_use');
    expect(decideDeletion({ ...free, moderationHold: true })).toBe('asset_in_use');
  });
});
