import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const HEAVY = [
  '@grpc/grpc-js',
  '@nestjs/common',
  '@nestjs/microservices',
  'fastify',
  'kafkajs',
  'minio',
  'pg',
  'undici',
];

/** Prints the packages loaded by an import. */
const PACKAGES_OF = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name !== undefined) packages.add(name);
      return next(url, context);
    },
  });
  await import(process.argv[1]);
  console.log(JSON.stringify([...packages]));
`;

async function heavyPackagesOf(entry: string): Promise<readonly string[]> {
  const args = ['--input-type=module', '--eval', PACKAGES_OF, entry];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: HERE });
  const loaded = JSON.parse(stdout) as string[];
  return HEAVY.filter((name) => loaded.includes(name));
}

describe('an entry of the composition brings with it what its users need', () => {
  it.each([
    ['@heddle/composition', []],
    ['@heddle/composition/call-services', ['@grpc/grpc-js', 'undici']],
    ['@heddle/composition/worker', []],
    ['@heddle/composition/call-work', ['@grpc/grpc-js']],
    ['@heddle/composition/store', []],
    ['@heddle/composition/role-database', ['pg']],
    ['@heddle/composition/called-service', ['@grpc/grpc-js', '@nestjs/common', '@nestjs/microservices']],
  ])('%s: %s', async (entry, expected) => {
    expect(await heavyPackagesOf(entry)).toEqual(expected);
  });
});
