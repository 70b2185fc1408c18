/** The payload of the submission rows: ten nodes, about 1.7 kB, known classes, links, values. */
export function tenNodes(): Record<string, unknown> {
  const graph: Record<string, unknown> = {
    '1': {
      class_type: 'EmptyImage',
      inputs: { width: 64, height: 64, batch_size: 1, color: 3368601 },
      _meta: { title: 'A plain picture of one colour' },
    },
  };
  for (let node = 2; node <= 9; node += 1) {
    graph[String(node)] = {
      class_type: 'ImageScale',
      inputs: {
        image: [String(node - 1), 0],
        upscale_method: 'bicubic',
        width: 64 + node,
        height: 64,
        crop: 'disabled',
      },
      _meta: { title: `Step ${node} of the chain, which scales the picture a little` },
    };
  }
  graph['10'] = {
    class_type: 'SaveImage',
    inputs: { images: ['9', 0], filename_prefix: 'bench' },
    _meta: { title: 'Save' },
  };
  return graph;
}

/** A chain of `count` nodes for the parse and validate rows. */
export function chain(count: number): Record<string, unknown> {
  const graph: Record<string, unknown> = {
    '1': {
      class_type: 'EmptyImage',
      inputs: { width: 64, height: 64, batch_size: 1, color: 1 },
      _meta: { title: 'Start' },
    },
  };
  for (let node = 2; node < count; node += 1) {
    graph[String(node)] = {
      class_type: 'ImageScale',
      inputs: { image: [String(node - 1), 0], upscale_method: 'bilinear', width: 64, height: 64, crop: 'center' },
      _meta: { title: `Scale the picture, step ${node}` },
    };
  }
  graph[String(count)] = {
    class_type: 'PreviewImage',
    inputs: { images: [String(count - 1), 0] },
    _meta: { title: 'Look' },
  };
  return graph;
}
