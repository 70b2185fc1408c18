import { describe, expect, it } from 'vitest';
import { outputMediaType, outputTypeOf } from '../outputs/output-type.js';
import { listOutputs } from '../outputs/list-outputs.js';
import { failureOfError } from './execution-failure.js';
import { refusedInputs } from './prompt-refusal.js';
import { withoutPaths } from './without-paths.js';

describe('a text of the engine', () => {
  it.each([
    ['  File "/engine/execution.py", line 5, in run\n', '  File "execution.py", line 5, in run\n'],
    ['  File "/opt/my engine/custom_nodes/pack/a.py", line 1', '  File "custom_nodes/pack/a.py", line 1'],
    ['  File "C:\\Users\\me\\engine\\comfy\\sd.py", line 1', '  File "comfy/sd.py", line 1'],
    ["[Errno 2] No such file: '/home/me/a b/c.png'", "[Errno 2] No such file: 'c.png'"],
    ['cannot read /home/me/models/x.safetensors now', 'cannot read x.safetensors now'],
    ['D:\\models\\x.bin is broken', 'x.bin is broken'],
    ['see https://example.org/a/b/c and 3/4 of it', 'see https://example.org/a/b/c and 3/4 of it'],
    ['index 3 is out of bounds for dimension 3', 'index 3 is out of bounds for dimension 3'],
    ['expected "width" and \'height\'', 'expected "width" and \'height\''],
  ])('%j names no folder of its machine', (text, clean) => {
    expect(withoutPaths(text)).toBe(clean);
  });

  it('of a megabyte is cleaned in no time of the processor', () => {
    const before = process.cpuUsage();
    withoutPaths('/a'.repeat(500_000));
    withoutPaths('C:\\a'.repeat(250_000));
    withoutPaths('File "/'.repeat(150_000));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});

describe('an error of a node', () => {
  it.each([
    ['torch.OutOfMemoryError', 'Allocation on device', 'out_of_memory'],
    ['torch.cuda.OutOfMemoryError', 'CUDA out of memory.', 'out_of_memory'],
    ['MemoryError', '', 'out_of_memory'],
    ['numpy.core._exceptions._ArrayMemoryError', 'Unable to allocate 4 GiB', 'out_of_memory'],
    ['RuntimeError', "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes", 'out_of_memory'],
    ['RuntimeError', 'sizes do not match', 'node_execution_error'],
    ['ValueError', 'the word memory in another error: out of memory', 'node_execution_error'],
  ])('of type %s with %j is %s', (exception_type, exception_message, code) => {
    expect(failureOfError({ exception_type, exception_message, node_id: '1', node_type: 'A' }).code).toBe(code);
  });

  it('without any details still has a text', () => {
    expect(failureOfError(null)).toMatchObject({ code: 'node_execution_error', nodeId: null, traceback: null });
  });
});

describe('what the engine has against a graph', () => {
  it('names node and field in a fixed order, unknown kinds included', () => {
    const error = (type: string, input_name?: string) => ({
      type,
      message: 'm',
      details: 'd',
      extra_info: { input_name },
    });
    const refused = refusedInputs({
      '2': { class_type: 'B', errors: [error('of_tomorrow'), error('value_not_in_list', 'a')] },
      '1': { class_type: 'A', errors: [error('custom_validation_failed', 'loop boundary'), null, 5] },
      '3': 'garbage',
    });
    expect(refused.map(({ nodeId, field, reason }) => `${nodeId} ${field} ${reason}`)).toEqual([
      '1 inputs invalid_loop',
      '1 inputs validation_exception',
      '1 inputs validation_exception',
      '2 a value_not_in_list',
      '2 inputs validation_exception',
    ]);
  });
});

describe('the media type of an output', () => {
  it.each([
    ['a.PNG', null, 'image/png', 'image'],
    ['a.mp4', 'application/octet-stream', 'video/mp4', 'video'],
    ['a.unknown', 'audio/x-thing; q=1', 'audio/x-thing', 'audio'],
    ['a.unknown', 'no type', 'application/octet-stream', 'file'],
    ['a', null, 'application/octet-stream', 'file'],
    ['a.constructor', null, 'application/octet-stream', 'file'],
    ['x.latent', null, 'application/octet-stream', 'latent'],
  ])('%s, reported as %s, is %s', (name, reported, contentType, type) => {
    expect(outputMediaType(name, reported)).toBe(contentType);
    expect(outputTypeOf('images', name, contentType)).toBe(type);
  });
});

describe('the outputs of a node', () => {
  it('have names that are file names, whatever the engine calls them', () => {
    const names = listOutputs('12:3', {
      images: [
        { filename: '../../etc/passwd' },
        { filename: 'a\\b.png' },
        { filename: '' },
        { filename: 'x'.repeat(500) + '.png' },
      ],
      text: ['t'],
    }).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['passwd', 'b.png', 'output']);
    expect(names[3]).toHaveLength(200);
    expect(names[3]).toMatch(/x\.png$/);
    expect(names[4]).toBe('12_3_0.txt');
  });
});
