import { pictureGraph, textGraph } from '@heddle/testing-api';
import type { Graph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectNodeErrors, expectRefusal } from './expectations.js';
import { useServer } from './server.js';

const image = (inputs: Record<string, unknown> = {}) => ({
  class_type: 'EmptyImage',
  inputs: { width: 8, height: 8, batch_size: 1, color: 0, ...inputs },
});
const save = (link: unknown) => ({ class_type: 'SaveImage', inputs: { images: link, filename_prefix: 'x' } });

describe('POST /api/v2/jobs with a graph that cannot run', () => {
  const server = useServer();
  const errorsOf = async (graph: unknown) => expectNodeErrors(await server.client.submit(graph));

  it('names the node whose class is unknown (POST /api/v2/jobs, rule 1) [JS06]', async () => {
    const graph = { ...pictureGraph(), '7': { class_type: 'NoSuchClass', inputs: {} } };
    expect(await errorsOf(graph)).toEqual({ '7': [{ field: 'class_type', reason: 'unknown_node_class' }] });
  });

  it('names the input that is missing (invalid_workflow, details.node_errors) [JS07]', async () => {
    const graph = {
      '1': { class_type: 'EmptyImage', inputs: { height: 8, batch_size: 1, color: 0 } },
      '2': save(['1', 0]),
    };
    expect(await errorsOf(graph)).toEqual({ '1': [{ field: 'width', reason: 'missing_input' }] });
  });

  it('reports all problems of all nodes at once, in a stable order (decisions, node_errors reasons) [JS08]', async () => {
    const graph: Graph = {
      b: save(['a', 0]),
      a: { class_type: 'EmptyImage', inputs: { width: 0, height: 8, color: 99_999_999 } },
      z: { class_type: 'Nope', inputs: {} },
      y: { class_type: 'Neither', inputs: {} },
    };
    const first = await server.client.submit(graph);
    expect(expectNodeErrors(first)).toEqual({
      a: [
        { field: 'batch_size', reason: 'missing_input' },
        { field: 'color', reason: 'value_above_max' },
        { field: 'width', reason: 'value_below_min' },
      ],
      y: [{ field: 'class_type', reason: 'unknown_node_class' }],
      z: [{ field: 'class_type', reason: 'unknown_node_class' }],
    });
    const again = await server.client.submit(graph);
    expect(again.bytes.equals(first.bytes)).toBe(true);
  });

  it.each<[string, Graph, Record<string, { field: string; reason: string }[]>]>([
    [
      'a link to a node that is not there',
      { '2': save(['9', 0]) },
      { '2': [{ field: 'images', reason: 'link_source_not_found' }] },
    ],
    [
      'a link to a slot that is not there',
      { '1': image(), '2': save(['1', 1]) },
      { '2': [{ field: 'images', reason: 'link_slot_out_of_range' }] },
    ],
    [
      'a negative slot',
      { '1': image(), '2': save(['1', -1]) },
      { '2': [{ field: 'images', reason: 'link_slot_out_of_range' }] },
    ],
    ['a link of one element', { '1': image(), '2': save(['1']) }, { '2': [{ field: 'images', reason: 'bad_link' }] }],
    [
      'a link of three elements',
      { '1': image(), '2': save(['1', 0, 0]) },
      { '2': [{ field: 'images', reason: 'bad_link' }] },
    ],
    [
      'a link to a node id that is a number',
      { '1': image(), '2': save([1, 0]) },
      { '2': [{ field: 'images', reason: 'bad_link' }] },
    ],
    [
      'a slot that is no integer',
      { '1': image(), '2': save(['1', 0.5]) },
      { '2': [{ field: 'images', reason: 'bad_link' }] },
    ],
    [
      'a type that does not fit',
      { '1': { class_type: 'PrimitiveString', inputs: { value: 'x' } }, '2': save(['1', 0]) },
      { '2': [{ field: 'images', reason: 'type_mismatch' }] },
    ],
    [
      'a value of another type',
      { '1': image({ width: 'wide' }), '2': save(['1', 0]) },
      { '1': [{ field: 'width', reason: 'invalid_value_type' }] },
    ],
    [
      'a value below the least',
      { '1': image({ width: 0 }), '2': save(['1', 0]) },
      { '1': [{ field: 'width', reason: 'value_below_min' }] },
    ],
    [
      'a value above the most',
      { '1': image({ width: 20_000 }), '2': save(['1', 0]) },
      { '1': [{ field: 'width', reason: 'value_above_max' }] },
    ],
    [
      'a value that is not in the list',
      {
        '1': image(),
        '3': { class_type: 'ImageScaleBy', inputs: { image: ['1', 0], upscale_method: 'magic', scale_by: 1 } },
        '2': save(['3', 0]),
      },
      { '3': [{ field: 'upscale_method', reason: 'value_not_in_list' }] },
    ],
  ])('refuses %s (decisions, node_errors reasons) [JS09]', async (_, graph, expected) => {
    expect(await errorsOf(graph)).toEqual(expected);
  });

  it('refuses an input file that neither an asset nor the list has (decisions, Input files by name)', async () => {
    const errors = await errorsOf({
      '1': { class_type: 'LoadImage', inputs: { image: 'no-such-file.png' } },
      '2': save(['1', 0]),
    });
    expect(Object.keys(errors)).toEqual(['1']);
    expect(errors['1']).toContainEqual({ field: 'image', reason: 'value_not_in_list' });
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['a node without class_type', { ...pictureGraph(), '7': { inputs: {} } }, '7', 'missing_class_type'],
    ['a node that is a string', { ...pictureGraph(), '7': 'node' }, '7', 'invalid_node'],
    ['a node that is null', { ...pictureGraph(), '7': null }, '7', 'invalid_node'],
    [
      'inputs that are an array',
      { '1': { class_type: 'EmptyImage', inputs: [] }, '2': save(['1', 0]) },
      '1',
      'invalid_node',
    ],
    ['a class that is a number', { ...pictureGraph(), '7': { class_type: 7, inputs: {} } }, '7', 'missing_class_type'],
  ])('refuses %s (decisions, Validation)', async (_, graph, node, reason) => {
    const errors = await errorsOf(graph);
    expect(Object.keys(errors)).toEqual([node]);
    const reasons = errors[node]?.map((error) => error.reason);
    if (reason === 'missing_class_type')
      expect(['missing_class_type', 'invalid_node', 'unknown_node_class']).toContain(reasons?.[0]);
    else expect(reasons).toContain(reason);
  });

  it('refuses a cycle and does not hang [JS09]', async () => {
    const step = (from: string) => ({ class_type: 'ImageInvert', inputs: { image: [from, 0] } });
    const errors = await errorsOf({ '1': step('3'), '2': step('1'), '3': step('2'), '4': save(['3', 0]) });
    const reasons = Object.values(errors)
      .flat()
      .map((error) => error.reason);
    expect(new Set(reasons)).toEqual(new Set(['dependency_cycle']));
    expect(Object.keys(errors)).toEqual(expect.arrayContaining(['1', '2', '3']));
  });

  it('finds a cycle through 4,000 nodes [JS09]', async () => {
    const graph: Graph = { out: save(['0', 0]) };
    for (let i = 0; i < 4000; i += 1)
      graph[String(i)] = { class_type: 'ImageInvert', inputs: { image: [String((i + 1) % 4000), 0] } };
    const errors = await errorsOf(graph);
    expect(
      Object.values(errors)
        .flat()
        .some((error) => error.reason === 'dependency_cycle'),
    ).toBe(true);
  });

  it.each([
    ['an empty graph', {}],
    ['a graph without an output node', { '1': image() }],
  ])(
    'refuses %s with empty node_errors and a message that says what is missing (decisions) [JS10]',
    async (_, graph) => {
      const answer = await server.client.submit(graph);
      expect(expectNodeErrors(answer)).toEqual({});
      expect(expectRefusal(answer, 422, 'invalid_workflow').message).toMatch(/output|node/i);
    },
  );

  it('refuses the whole graph for one bad output (decisions, Validation)', async () => {
    const graph = { ...pictureGraph(), '5': image({ width: 0 }), '6': save(['5', 0]) };
    expect(Object.keys(await errorsOf(graph))).toEqual(['5']);
  });

  it('does not judge values of nodes that no output depends on (decisions, Validation)', async () => {
    await server.client.submitted({ ...pictureGraph(), '5': image({ width: 0 }), '6': { class_type: 'ImageInvert' } });
  });

  it("reads values as the engine's Python does: int('16'), 16.9, true (reference: engine 3)", async () => {
    const { id } = await server.client.submitted({
      '1': image({ width: '16', height: 8.9, batch_size: true, color: ' 1_0 ' }),
      '2': save(['1', 0]),
    });
    const { outputs } = await server.client.reached(id, 'succeeded');
    expect(outputs).toHaveLength(1);
    const { bytes } = await server.client.content(outputs[0]!.id);
    // Width and height of a PNG.
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([16, 8]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'treats the node id %s like any other',
    async (id) => {
      const text = JSON.stringify({ workflow: { ...textGraph(), PLACE: { class_type: 'Nope', inputs: {} } } });
      const answer = await server.client.submitRaw(text.replace('PLACE', id));
      const errors = expectNodeErrors(answer);
      expect(Object.entries(errors)).toEqual([[id, [{ field: 'class_type', reason: 'unknown_node_class' }]]]);
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'valueOf'])('knows no class called %s', async (class_type) => {
    expect(await errorsOf({ ...textGraph(), '7': { class_type, inputs: {} } })).toEqual({
      '7': [{ field: 'class_type', reason: 'unknown_node_class' }],
    });
  });
});
