import { describe, expect, it } from 'vitest';
import { isNodeId, isPublisherId, repositoryKey, skeletonOf } from './node-id.js';

describe('the id of a node (registry, Node id)', () => {
  it.each(['a', 'A1', 'my_pack', 'my.pack-2', '0', 'x'.repeat(100)])('may be %s', (id) => {
    expect(isNodeId(id)).toBe(true);
  });

  it.each(['', '_x', 'x-', '.x', 'a/b', 'a b', 'ä', 'x'.repeat(101), 'x\n'])('must not be %j', (id) => {
    expect(isNodeId(id)).toBe(false);
  });

  it.each([
    ['image-tools', 'Image_Tools'],
    ['image-tools', 'image.tools'],
    ['image-tools', 'image-_.tools'],
    ['tool', 't00l'],
    ['list', '1ist'],
    ['list', 'iist'],
    ['LIL', '1i1'],
  ])('takes %s and %s for look-alikes', (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one));
  });

  it.each([
    ['image-tools', 'imagetools'],
    ['image-tools', 'image-tool'],
    ['list', 'lost'],
    ['pack-2', 'pack-z'],
  ])('tells %s and %s apart', (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one));
  });
});

describe('the id of a publisher (registry, Publisher)', () => {
  it.each(['ab', 'a-1', `a${'b'.repeat(63)}`])('may be %s', (id) => {
    expect(isPublisherId(id)).toBe(true);
  });

  it.each(['a', '1a', 'A1', 'a_b', `a${'b'.repeat(64)}`])('must not be %s', (id) => {
    expect(isPublisherId(id)).toBe(false);
  });
});

describe('the repository of a node (registry, Repository)', () => {
  it.each([
    'https://example.org/Me/Pack',
    'http://example.org/me/pack.git',
    'HTTPS://EXAMPLE.ORG/me/pack/',
    ' git://example.org/me/pack.git/ ',
    'https://www.example.org/me/pack',
    'https://example.org:443/me/pack',
    'http://example.org:80/me/pack',
    'https://example.org./me/pack',
    'https://example.org/me/pack?tab=readme',
    'https://example.org/me/pack.git?a=b#readme',
    'https://example.org/me/pack/?#',
    'https://example.org/you/../me/./pack',
    'https://example.org/me/pack.git//',
  ])('is one repository as %s', (url) => {
    expect(repositoryKey(url)).toBe('example.org/me/pack');
  });

  it('is another one on another host or path', () => {
    expect(repositoryKey('https://example.com/me/pack')).not.toBe('example.org/me/pack');
    expect(repositoryKey('https://example.org/me/pack2')).not.toBe('example.org/me/pack');
    expect(repositoryKey('https://example.org:8443/me/pack')).toBe('example.org:8443/me/pack');
    expect(repositoryKey('https://www.org/me/pack')).toBe('www.org/me/pack');
  });

  it('is named by the query if one script or folder serves all', () => {
    const all = [
      'https://a.example/?p=a',
      'https://a.example/?p=b',
      'https://a.example/git/?p=a',
      'https://a.example/cgi-bin/git.cgi?p=a',
    ];
    expect(new Set(all.map(repositoryKey)).size).toBe(all.length);
  });

  it.each(['', '  ', 'https://'])('is none as %j', (url) => {
    expect(repositoryKey(url)).toBeNull();
  });
});
