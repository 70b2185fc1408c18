import { createRequire } from 'node:module';
import { randomBytes, randomInt } from 'node:crypto';
import type { IHeaders } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { crc32c } from './crc32c.js';
import { decodeRecord, encodeRecord, type BatchContext, type PlainRecord } from './record-codec.js';

const require = createRequire(import.meta.url);
type Encoded = { readonly buffer: Buffer };
type Encode = (record: object) => Encoded;
type Decode = (decoder: object, batch: object) => unknown;
const encodeAsClient = require('kafkajs/src/protocol/recordBatch/record/v0') as Encode;
const decodeAsClient = require('kafkajs/src/protocol/recordBatch/record/v0/decoder') as Decode;
const crc32cAsClient = require('kafkajs/src/protocol/recordBatch/crc32C') as (bytes: Buffer) => number;
const Decoder = require('kafkajs/src/protocol/decoder') as new (buffer: Buffer) => { readVarIntBytes(): Buffer };

const LENGTHS = [0, 1, 63, 64, 127, 128, 600, 8_191, 8_192];
const oneOf = <T>(all: readonly T[]): T => all[randomInt(all.length)]!;
const someBytes = (): Buffer => randomBytes(oneOf(LENGTHS));
const someText = (): string => oneOf(['', 'JobSubmitted', 'ü€𝄞'.repeat(50), 'x'.repeat(63), 'x'.repeat(64)]);

function someHeaders(): IHeaders {
  const value = (): Buffer | string => oneOf([someText(), someBytes()]);
  return Object.fromEntries(
    Array.from({ length: oneOf([0, 1, 5, 20]) }, (_, at) => [
      oneOf([`heddle-${at}`, `ü${at}`, 'x'.repeat(70)]),
      oneOf([value(), [value(), value(), value()]]),
    ]),
  ) as IHeaders;
}

function someRecord(): PlainRecord {
  return {
    key: oneOf([null, someBytes()]),
    value: oneOf([null, someBytes()]),
    headers: someHeaders(),
    offsetDelta: oneOf([0, 63, 64, 8_191, 8_192, 1_000_000]),
  };
}

const body = (encoded: Encoded): Buffer => new Decoder(encoded.buffer).readVarIntBytes();
/** Bytes as text, which compare in a thousandth of the time. */
function shown(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]));
}

const BATCH: BatchContext = { firstOffset: '7', firstTimestamp: '1790000000000', magicByte: 2 };

describe('the checksum of a batch', () => {
  it('is that of the client library, whatever the length', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = randomBytes(length);
      expect(crc32c(bytes)).toBe(crc32cAsClient(bytes));
    }
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  });
});

describe('a record', () => {
  it('has the bytes that the client library gives it, and is read as the client library reads it', () => {
    for (let turn = 0; turn < 200; turn++) {
      const record = someRecord();
      const theirs = encodeAsClient({ ...record, timestampDelta: 0 });
      expect(encodeRecord(record).buffer.equals(theirs.buffer)).toBe(true);
      const read = decodeRecord({ buffer: body(theirs) }, BATCH);
      expect(shown(read)).toEqual(shown(decodeAsClient(new Decoder(body(theirs)), BATCH)));
    }
  });

  it.each([
    ['far behind the first of its batch', { timestampDelta: 5_000_000_000 }, BATCH],
    ['before the first of its batch', { timestampDelta: -1 }, BATCH],
    ['of a topic whose broker sets the time', {}, { ...BATCH, timestampType: 1, maxTimestamp: '1790000000123' }],
    ['behind more records than a number counts', {}, { ...BATCH, firstOffset: '9223372036854770000' }],
    ['of a control batch', {}, { ...BATCH, isControlBatch: true }],
    ['of which nothing is known', {}, { firstOffset: '0', firstTimestamp: '0' }],
  ])('is read as the client library reads it: one %s', (_, change, batch) => {
    const bytes = body(encodeAsClient({ ...someRecord(), ...change }));
    expect(shown(decodeRecord({ buffer: bytes }, batch))).toEqual(shown(decodeAsClient(new Decoder(bytes), batch)));
  });

  it('may have a header of any name', () => {
    const headers = JSON.parse('{"__proto__": "x", "toString": "y"}') as IHeaders;
    const { buffer } = encodeRecord({ key: null, value: null, headers });
    const read = decodeRecord({ buffer: new Decoder(buffer).readVarIntBytes() }, BATCH).headers;
    expect(Object.entries(read).map(([name, value]) => [name, String(value)])).toEqual([
      ['__proto__', 'x'],
      ['toString', 'y'],
    ]);
  });
});
