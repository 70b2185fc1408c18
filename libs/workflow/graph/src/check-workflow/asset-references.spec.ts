import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/json-value.js';
import { collectAssetReferences, isAssetReference, mayHoldAssets } from './asset-references.js';

const asset = (id: JsonObject[string]): JsonObject => ({ __type: 'core/ASSET', info: { id } });
const LIMIT = 100;
const found = (inputs: JsonObject, limit = LIMIT): unknown[] =>
  collectAssetReferences('7', inputs, limit).map(({ path, assetId }) => [path.slice(2).join('.'), assetId]);

describe('a reference to an asset', () => {
  it('is an object of its type, and nothing that inherits or resembles one', () => {
    expect(isAssetReference({ __type: 'core/ASSET' })).toBe(true);
    const inherited = Object.create({ __type: 'core/ASSET' }) as JsonObject;
    for (const value of [
      inherited,
      { __type: 'core/asset' },
      { type: 'core/ASSET' },
      [],
      'core/ASSET',
      null,
      undefined,
    ])
      expect(isAssetReference(value as never)).toBe(false);
  });

  it('is found in an input, in lists and in objects, with its path from the root', () => {
    const inputs = { a: asset('x'), b: [1, asset('y')], c: { d: { e: [asset('z')] } }, f: 'core/ASSET' };
    expect(collectAssetReferences('7', inputs, LIMIT)).toEqual([
      { nodeId: '7', input: 'a', path: ['7', 'inputs', 'a'], assetId: 'x' },
      { nodeId: '7', input: 'b', path: ['7', 'inputs', 'b', 1], assetId: 'y' },
      { nodeId: '7', input: 'c', path: ['7', 'inputs', 'c', 'd', 'e', 0], assetId: 'z' },
    ]);
  });

  it('hides nothing: what is inside one is not searched', () => {
    expect(found({ a: { ...asset('x'), other: asset('y') } })).toEqual([['a', 'x']]);
  });

  it('is found behind names that every object has', () => {
    const inputs = JSON.parse('{"__proto__":{"__type":"core/ASSET","info":{"id":"x"}}}') as JsonObject;
    expect(found(inputs)).toEqual([['__proto__', 'x']]);
  });

  it.each([
    ['no info', { __type: 'core/ASSET' }],
    ['an info that is no object', { __type: 'core/ASSET', info: 'x' }],
    ['a hash alone', { __type: 'core/ASSET', info: { hash: 'blake3:00' } }],
    ['an empty id', asset('')],
    ['an id that is no text', asset(7)],
    ['an id that cannot exist', asset('x'.repeat(129))],
  ])('has no id with %s', (_, reference) => {
    expect(found({ a: reference as JsonObject })).toEqual([['a', null]]);
  });

  it('has an id of up to 128 characters', () => {
    expect(found({ a: asset('x'.repeat(128)) })).toEqual([['a', 'x'.repeat(128)]]);
  });

  it('is collected up to the limit', () => {
    const inputs = { a: [asset('1'), asset('2')], b: asset('3'), c: asset('4') };
    expect(found(inputs, 3).map((one) => (one as [string, string])[1])).toEqual(['1', '2', '3']);
    expect(found(inputs, 0)).toEqual([]);
  });
});

describe('the text of a document', () => {
  it('may hold a reference if it names the type, or if an escape may hide the name', () => {
    expect(mayHoldAssets('{"__type":"core/ASSET"}', false)).toBe(true);
    expect(mayHoldAssets('{"__type":"core/asset"}', false)).toBe(false);
    expect(mayHoldAssets('{"__type":"core/\\u0041SSET"}', true)).toBe(true);
  });
});
