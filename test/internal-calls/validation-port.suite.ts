import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  CATALOGUES_PORT,
  NODE_PACKAGES_PORT,
  unknownFilesRejection,
  VALIDATION_PORT,
} from '@heddle/contracts-messages';
import type {
  CataloguesPort,
  CheckedSubmission,
  NodePackagesPort,
  PinnedCatalogue,
  Rejection,
  SubmissionVerdict,
  ValidationPort,
} from '@heddle/contracts-messages';
import { CatalogueHolder, ValidationLimits, ValidationModule } from '@heddle/validation';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const objectInfo = gunzipSync(
  readFileSync(new URL('../../libs/workflow/graph/recorded/object_info-0.33.0.json.gz', import.meta.url)),
);
const PINNED = `blake3:${'1'.repeat(64)}`;
const classOf = (name: string): string =>
  JSON.stringify({ [name]: { input: { required: {} }, output: ['IMAGE'], output_node: true, is_input_list: false } });
const BUILTIN = classOf('OfBuiltin');
const STORED: CataloguesPort = {
  document: (hash) => Promise.resolve(hash === PINNED ? Buffer.from(classOf('OfDocument')) : null),
};
const ASSET = '01939aaa-0000-7000-8000-000000000001';
const asset = (info: object): object => ({ __type: 'core/ASSET', info });
export const MAX_DEPTH = 16;

export interface BoundValidation {
  readonly port: ValidationPort;
  close(): Promise<void>;
}

/** A body whose graph loads each of these images with a node. */
export function bodyOf(images: readonly unknown[], more: object = {}): Buffer {
  const nodes = images.flatMap((image, at) => [
    [`${at}`, { class_type: 'LoadImage', inputs: { image } }],
    [`save${at}`, { class_type: 'SaveImage', inputs: { images: [`${at}`, 0], filename_prefix: 'é' } }],
  ]);
  return Buffer.from(JSON.stringify({ workflow: Object.fromEntries(nodes) as object, ...more }));
}

const pin = (engine: string, catalogueHash: string | null = null, ...versions: string[]): PinnedCatalogue => ({
  engine,
  catalogueHash,
  packages: versions.map((version) => ({ id: 'pack', version })),
});
/** Version 1.0.0 has a class, 2.0.0 one of which nothing is known; for 3.0.0 it is away. */
const REGISTRY: NodePackagesPort = {
  packagesOf: () => Promise.resolve(new Map()),
  installable: (packages) =>
    packages.some(({ version }) => version === '3.0.0')
      ? Promise.reject(new Error('away'))
      : Promise.resolve(packages.filter(({ nodeId }) => nodeId === 'pack')),
  classesOf: ({ version }) => {
    const texts =
      version === '2.0.0' ? { inputTypes: '', unknown: ['input_types'] } : { inputTypes: INPUTS, unknown: [] };
    const one = { name: 'OfPackage', returnTypes: '[]', outputNode: true, ...texts };
    return version === '3.0.0' ? Promise.reject(new Error('away')) : Promise.resolve({ classes: [one], isWhole: true });
  },
};
const INPUTS = '{"required": {"radius": ["INT", {"max": 9}]}}';
const bodyOfClass = (type: string): Buffer =>
  Buffer.from(JSON.stringify({ workflow: { '1': { class_type: type, inputs: {} } } }));
const rejectionOf = (verdict: SubmissionVerdict): Rejection | null => verdict.rejection;

/** Conformance suite of ValidationPort. `bind` connects it to the validation service of the suite. */
export function describeValidationPort(name: string, bind: (local: ValidationPort) => Promise<BoundValidation>): void {
  describe(`ValidationPort ${name}`, () => {
    let bound: BoundValidation;
    let holder: CatalogueHolder;
    let closeLocal: () => Promise<void>;
    beforeAll(async () => {
      const limits = new ValidationLimits({ submission: { maxDepth: MAX_DEPTH } });
      @Module({
        providers: [
          { provide: CATALOGUES_PORT, useValue: STORED },
          { provide: NODE_PACKAGES_PORT, useValue: REGISTRY },
        ],
        exports: [CATALOGUES_PORT, NODE_PACKAGES_PORT],
      })
      class StoredModule {}
      const module = ValidationModule.register({
        limits,
        ownEngine: 'http://own:8188',
        describe: (engine) => Promise.resolve(Buffer.from(engine === 'builtin' ? BUILTIN : '{}')),
        imports: [StoredModule],
        log: () => undefined,
      });
      const context = await NestFactory.createApplicationContext(module, { logger: false });
      holder = context.get(CatalogueHolder);
      closeLocal = () => context.close();
      bound = await bind(context.get<ValidationPort>(VALIDATION_PORT));
    });
    afterAll(async () => {
      await bound.close();
      await closeLocal();
    });

    async function malformed(body: Buffer | string): Promise<Rejection> {
      const verdict = await bound.port.validate(Buffer.from(body), null);
      if (verdict.kind === 'checked') throw new Error('the form of the body is good');
      return verdict.rejection;
    }
    async function checked(body: Buffer): Promise<CheckedSubmission> {
      const verdict = await bound.port.validate(body, null);
      if (verdict.kind !== 'checked') throw new Error(verdict.rejection.message);
      return verdict;
    }
    /** The rejection if only these names match assets. */
    function answerWith({ unknownFiles }: CheckedSubmission, ...answered: string[]): Rejection | null {
      const unknown = unknownFiles.filter((file) => !answered.includes(file.name));
      return unknown.length === 0 ? null : unknownFilesRejection(unknown);
    }

    it('accepts nothing without a catalogue', async () => {
      expect(await malformed(bodyOf(['grad8x6.png']))).toMatchObject({ code: 'upstream_error' });
      holder.replace(objectInfo);
    });

    it('returns every refusal of a form with its code, its text and its details', async () => {
      const nothing = { details: { node_errors: {} } };
      expect(await malformed('')).toMatchObject({ code: 'invalid_workflow', ...nothing });
      expect(await malformed('{"a":')).toMatchObject({
        message: expect.stringContaining('line 1, column 6') as string,
      });
      expect(await malformed(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ code: 'invalid_workflow' });
      expect(await malformed('{"a":1,"a":2}')).toMatchObject({
        message: expect.stringContaining('repeated') as string,
      });
      const deep = `{"workflow":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}}`;
      expect(await malformed(deep)).toMatchObject({
        message: expect.stringContaining(`${MAX_DEPTH} levels`) as string,
      });
      expect(await malformed('{"workflow":{"nodes":[],"links":[]}}')).toMatchObject({ code: 'workflow_format_ui' });
      expect(await malformed('{"workflow":{},"inputs":{}}')).toMatchObject({ code: 'invalid_workflow' });
      const labelled = await malformed('{"workflow":{},"metadata":{"ä":"x"}}');
      expect(labelled).toMatchObject({ code: 'metadata_invalid', details: { key: 'ä' } });
      const noLabels = await malformed('{"workflow":{},"metadata":[]}');
      expect(noLabels).toMatchObject({ code: 'metadata_invalid' });
      expect(noLabels).not.toHaveProperty('details');
      expect(await malformed('{"workflow":{},"extra_data":{"other":1}}')).toMatchObject({ code: 'invalid_workflow' });
    });

    it('returns what is wrong with nodes, whatever these are called', async () => {
      const workflow = '{"__proto__":{"class_type":"Nope"},"2":{"class_type":"constructor"}}';
      const { details } = await malformed(`{"workflow":${workflow}}`);
      const unknown = [{ field: 'class_type', reason: 'unknown_node_class' }];
      expect(Object.entries(details!['node_errors'] as object)).toEqual([
        ['2', unknown],
        ['__proto__', unknown],
      ]);
    });

    it('gives what a submission needs, and nulls where it has nothing', async () => {
      const body = bodyOf(['grad8x6.png']);
      const verdict = await checked(body);
      const { start, end } = verdict.workflow;
      expect(body.subarray(start, end).toString()).toBe(
        JSON.stringify((JSON.parse(body.toString()) as { workflow: object }).workflow),
      );
      expect(verdict).toEqual({
        kind: 'checked',
        rejection: null,
        workflow: { start: 12, end: body.length - 1 },
        nodesTotal: 2,
        metadata: {},
        credentials: null,
        assetIds: [],
        names: ['grad8x6.png'],
        unknownFiles: [],
      });
    });

    it('finds the workflow of a body that is a part of a larger buffer', async () => {
      const body = bodyOf(['grad8x6.png']);
      const part = Buffer.concat([Buffer.alloc(7), body, Buffer.alloc(9)]).subarray(7, 7 + body.length);
      expect((await checked(part)).workflow).toEqual((await checked(body)).workflow);
    });

    it('takes labels of any name and text', async () => {
      const labels = '{"__proto__":"a","constructor":"","project":"é\u{1f39e}\\ud800"}';
      const { metadata } = await checked(
        Buffer.from(`${bodyOf(['x.png']).subarray(0, -1).toString()},"metadata":${labels}}`),
      );
      expect(Object.entries(metadata)).toEqual([
        ['__proto__', 'a'],
        ['constructor', ''],
        ['project', 'é\u{1f39e}\ud800'],
      ]);
    });

    it('wraps credentials, each of which may be absent or empty', async () => {
      const both = { api_key_partner_org: 'canary-1', auth_token_partner_org: '' };
      const { credentials } = await checked(bodyOf(['x.png'], { extra_data: both }));
      expect([credentials?.apiKey?.reveal(), credentials?.authToken?.reveal()]).toEqual(['canary-1', '']);
      const one = await checked(bodyOf(['x.png'], { extra_data: { auth_token_partner_org: 'canary-2' } }));
      expect(one.credentials).not.toHaveProperty('apiKey');
      expect(JSON.stringify(one)).not.toContain('canary-2');
    });

    it('names assets and files, each once, and refuses references that cannot exist', async () => {
      const verdict = await checked(
        bodyOf([asset({ id: ASSET }), asset({ id: ASSET }), 'a.png', 'a.png', '\ud83d.png']),
      );
      expect(verdict).toMatchObject({ assetIds: [ASSET], names: ['a.png', '\ud83d.png'], rejection: null });
      expect(await malformed(bodyOf([asset({})]))).toMatchObject({
        code: 'missing_asset',
        details: { missing_ids: [] },
      });
    });

    it('leaves what the graph earns to be answered after missing assets', async () => {
      const bad = {
        '9': { class_type: 'SaveImage', inputs: { images: ['7', 0], filename_prefix: asset({ id: ASSET }) } },
      };
      const verdict = await checked(Buffer.from(JSON.stringify({ workflow: bad })));
      expect(verdict).toMatchObject({
        assetIds: [ASSET],
        unknownFiles: [],
        rejection: {
          code: 'invalid_workflow',
          details: { node_errors: { '9': [{ reason: 'link_source_not_found' }] } },
        },
      });
    });

    it('returns what is wrong if no asset answers a name, for whichever names are left', async () => {
      const names = ['me/own.png', 'me/b.png', 'grad8x6.png'];
      const verdict = await checked(bodyOf(names));
      expect(verdict.rejection).toBeNull();
      const problems = [
        { field: 'image', reason: 'custom_validation_failed' },
        { field: 'image', reason: 'value_not_in_list' },
      ];
      const of = (...nodes: string[]): object => Object.fromEntries(nodes.map((node) => [node, problems]));
      const refused = (node_errors: object): object => ({ code: 'invalid_workflow', details: { node_errors } });
      expect(answerWith(verdict)).toMatchObject(refused(of('0', '1')));
      expect(answerWith(verdict, 'other')).toMatchObject(refused(of('0', '1')));
      expect(answerWith(verdict, 'me/own.png')).toEqual({
        ...refused(of('1')),
        message: 'The workflow has 1 problem in 1 node. Node 1, image: No asset or input file is named me/b.png.',
      });
      expect(answerWith(verdict, 'me/b.png')?.message).toContain(
        'Node 0, image: No asset or input file is named me/own',
      );
      expect(answerWith(verdict, 'me/own.png', 'me/b.png')).toBeNull();
    });

    it('explains the first of many unknown names, and counts all', async () => {
      const verdict = await checked(bodyOf(Array.from({ length: 40 }, (_, at) => `mine/${at}.png`)));
      const all = answerWith(verdict);
      expect(all?.message).toMatch(
        /^The workflow has 40 problems in 40 nodes\. Node 0, image: .* lists all problems\.$/,
      );
      const late = answerWith(verdict, ...verdict.names.slice(0, 39));
      expect(late?.message).toBe(
        'The workflow has 1 problem in 1 node. The field details.node_errors lists all problems.',
      );
      expect(late?.details).toHaveProperty(['node_errors', '39']);
    });

    it('judges a body by the classes of the pinned environment, and of no other', async () => {
      const own = 'LoadImage';
      const pins = { own: null, ownEngine: pin('http://own:8188'), document: pin('http://own:8188', PINNED) };
      const engines = { builtin: pin('builtin'), empty: pin('http://other:8188'), gone: pin('builtin', `${PINNED}0`) };
      const accepts: Record<string, string[]> = {};
      for (const [name, pinned] of Object.entries({ ...pins, ...engines })) {
        const known = await Promise.all(
          [own, 'OfDocument', 'OfBuiltin'].map(async (type) => {
            const verdict = await bound.port.validate(bodyOfClass(type), pinned);
            return JSON.stringify(verdict).includes('unknown_node_class') ? [] : [rejectionOf(verdict)?.code ?? type];
          }),
        );
        accepts[name] = known.flat();
      }
      const none = ['upstream_error', 'upstream_error', 'upstream_error'];
      const image = ['invalid_workflow'];
      expect(accepts).toEqual({
        ...{ own: image, ownEngine: image, document: ['OfDocument'], builtin: ['OfBuiltin'] },
        ...{ empty: none, gone: none },
      });
    });

    it('checks against the classes of packages too, but not what is not known of them', async () => {
      const judge = async (radius: number, ...versions: string[]): Promise<string> => {
        const workflow = { '1': { class_type: 'OfPackage', inputs: { radius } } };
        const body = Buffer.from(JSON.stringify({ workflow }));
        const { details } = rejectionOf(await bound.port.validate(body, pin('builtin', null, ...versions))) ?? {};
        const errors = details?.['node_errors'] as Record<string, { reason: string }[]> | undefined;
        return errors?.['1']?.map(({ reason }) => reason).join() ?? 'accepted';
      };
      const verdicts = { without: await judge(9), with: await judge(9, '1.0.0'), wrong: await judge(10, '1.0.0') };
      expect(verdicts).toEqual({ without: 'unknown_node_class', with: 'accepted', wrong: 'value_above_max' });
      const open = { unknown: await judge(10, '2.0.0'), away: await judge(10, '3.0.0') };
      expect(open).toEqual({ unknown: 'accepted', away: 'accepted' });
    });

    it('names the packages that cannot be pinned, or says that it is not known', async () => {
      const [known, other] = [
        { nodeId: 'pack', version: '1.0.0' },
        { nodeId: 'other', version: '1.0.0' },
      ];
      expect(await bound.port.missingPackages([])).toEqual([]);
      expect(await bound.port.missingPackages([known])).toEqual([]);
      expect(await bound.port.missingPackages([known, other])).toEqual([other]);
      expect(await bound.port.missingPackages([{ ...known, version: '3.0.0' }])).toBeNull();
    });

    it('judges many bodies at once, small and large, each for itself', async () => {
      const bodies = Array.from({ length: 100 }, (_, at) =>
        at % 10 === 0
          ? Buffer.from('[')
          : bodyOf([`${at}.png`], { metadata: { padding: 'x'.repeat(at % 7 === 0 ? 250 : 1) } }),
      );
      bodies.push(bodyOf([`${'y'.repeat(2_000_000)}`]), bodyOf(Array.from({ length: 1_000 }, (_, at) => `${at}.png`)));
      const verdicts = await Promise.all(bodies.map((body) => bound.port.validate(body, null)));
      verdicts.slice(0, 100).forEach((verdict, at) => {
        const expected = at % 10 === 0 ? { kind: 'malformed' } : { kind: 'checked', names: [`${at}.png`] };
        expect(verdict).toMatchObject(expected);
      });
      expect(verdicts[101]).toMatchObject({ kind: 'checked', nodesTotal: 2_000 });
    });
  });
}
