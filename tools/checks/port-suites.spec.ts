import { describe, expect, it } from 'vitest';
import { portSuites } from './port-suites.ts';
import { tree } from './tree.fixture.ts';

const NAMES_NONE = 'names no `….suite.ts` that its implementations pass, nor "One implementation: …" or "No suite: …"';

describe('the check of the suites of ports between contexts', () => {
  const path = 'libs/contracts/messages/src/things.port.ts';
  const port = (comment: string): string => tree({ [path]: `${comment}export interface ThingsPort {}` });

  it('refuses a port whose comment names no suite, whatever another comment names', () => {
    const other = '/** Passes `test/things.suite.ts`. */\ninterface Thing {}\n';
    for (const comment of ['', '/** Things. */\n', other])
      expect(portSuites(port(comment))).toEqual([`${path}: ThingsPort ${NAMES_NONE}`]);
  });

  it('refuses a suite that does not exist, and takes one that does', () => {
    const comment = '/**\n * Things. Implementations pass\n * `test/things.suite.ts`.\n */\n';
    expect(portSuites(port(comment))).toEqual([
      `${path}: ThingsPort names the suite test/things.suite.ts, which does not exist`,
    ]);
    expect(
      portSuites(tree({ [path]: `${comment}export interface ThingsPort {}`, 'test/things.suite.ts': '' })),
    ).toEqual([]);
  });

  it('takes a port with one implementation and the reason', () => {
    expect(portSuites(port('/**\n * Things. One\n * implementation: contexts share it.\n */\n'))).toEqual([]);
  });
});

describe('the check of the suites of interfaces', () => {
  const path = 'libs/a/src/store.ts';
  const suite = 'libs/a/src/store.suite.ts';
  const named = `/** Stores. Implementations pass \`${suite}\`. */\n`;
  const store = (comment: string, specs: Readonly<Record<string, string>> = {}, rest = ''): string =>
    tree({
      [path]: `${comment}export interface Store {}\n${rest}`,
      [suite]: 'export function describeStore(name: string, make: () => unknown): void {}',
      'libs/a/src/disk-store.ts': 'export class DiskStore implements Store {}',
      'libs/b/src/far-store.ts': 'export class FarStore<Key> extends Client implements Closable, Store {\n}',
      'libs/a/src/store.fake.ts': 'export class StoreFake implements Store {}',
      ...specs,
    });
  const run = (...classes: string[]): string =>
    classes.map((one) => `describeStore('x', () => new ${one}());`).join('\n');

  it('refuses two implementations of the product without a suite, also where one is in another package', () => {
    for (const comment of ['', '/** Stores. */\n', '/** Stores. One implementation: there is no other. */\n'])
      expect(portSuites(store(comment))).toEqual([`${path}: Store ${NAMES_NONE}`]);
  });

  it('refuses a suite that no spec runs on one of the implementations', () => {
    const missing = (one: string): string => `${path}: no spec runs ${suite} on ${one}, which implements Store`;
    expect(portSuites(store(named))).toEqual([missing('DiskStore'), missing('FarStore')]);
    // A spec that names a class without running the suite proves nothing.
    const specs = {
      'libs/a/src/disk-store.spec.ts': run('DiskStore'),
      'libs/b/src/far-store.spec.ts': 'new FarStore()',
    };
    expect(portSuites(store(named, specs))).toEqual([missing('FarStore')]);
  });

  it('takes a suite that specs run on each, also on one that a fixture makes', () => {
    const specs = {
      'libs/a/src/disk-store.int.spec.ts': run('DiskStore'),
      'libs/b/src/far-store.spec.ts': "import { far } from './far.fixture.js';\ndescribeStore('x', far);",
      'libs/b/src/far.fixture.ts': 'export const far = () => new FarStore();',
    };
    expect(portSuites(store(named, specs))).toEqual([]);
  });

  it('takes a class that a module binds to the symbol which the spec asks for, but none that calls another process', () => {
    const symbol = "export const STORE = Symbol('Store');\n";
    const specs = { 'libs/a/src/store.spec.ts': "describeStore('x', () => context.get(STORE));" };
    expect(portSuites(store(named, specs, symbol))).toEqual([]);
    const remote = { ...specs, 'libs/b/src/far-store.ts': 'export class RemoteStore implements Store {}' };
    expect(portSuites(store(named, remote, symbol))).toEqual([
      `${path}: no spec runs ${suite} on RemoteStore, which implements Store`,
    ]);
  });

  it('takes the reason of implementations that do not stand for each other', () => {
    expect(portSuites(store('/** Stores. No suite: each keeps something else. */\n'))).toEqual([]);
  });

  it('asks nothing of an interface with one implementation of the product', () => {
    const files = {
      [path]: 'export interface Store {}',
      'libs/a/src/disk-store.ts': 'export class DiskStore implements Store {}',
      'libs/a/src/store.fake.ts': 'export class StoreFake implements Store {}',
    };
    expect(portSuites(tree(files))).toEqual([]);
  });

  it('refuses a suite in what is shipped', () => {
    const file = "import { describeStore } from '@heddle/a/store-suite';";
    expect(portSuites(tree({ 'libs/b/src/b.ts': file }))).toEqual([
      'libs/b/src/b.ts imports the suite @heddle/a/store-suite, which only specs may run',
    ]);
    expect(portSuites(tree({ 'apps/b/src/main.ts': file }))).toHaveLength(1);
    for (const path of ['libs/b/src/b.spec.ts', 'libs/testing/b/src/b.ts', 'test/b/b.ts'])
      expect(portSuites(tree({ [path]: file })), path).toEqual([]);
  });
});
