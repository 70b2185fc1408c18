import type { NodeImplementation } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { upscale } from '../../pixels/resample.js';
import { Image } from '../../values/image.js';
import { withChannelsOf } from '../image-batch.js';

/** All pictures of a list in cells of one size, row by row on black. */
export const imageGrid: NodeImplementation = {
  async run(inputs, context) {
    const images = inputs.images('images');
    const { columns, cellWidth, cellHeight, padding } = {
      columns: inputs.firstInt('columns'),
      cellWidth: inputs.firstInt('cell_width'),
      cellHeight: inputs.firstInt('cell_height'),
      padding: inputs.firstInt('padding'),
    };
    if (images.length === 0) throw new NodeError('ValueError', 'Cannot create grid from empty image list');
    const width = columns * cellWidth + (columns - 1) * padding;
    const rows = Math.ceil(images.length / columns);
    const height = rows * cellHeight + (rows - 1) * padding;
    const grid = new Image([1, height, width, 3], context.pixels(width * height * 3));
    for (const [index, image] of images.entries()) {
      if (image.batch !== 1) throw new NodeError('TypeError', 'Cannot handle this data type: a batch in a list');
      const fitted = await upscale(image, cellWidth, cellHeight, 'lanczos', 'disabled', context);
      const cell = withChannelsOf(grid, fitted, context);
      const left = (index % columns) * (cellWidth + padding);
      const top = Math.floor(index / columns) * (cellHeight + padding);
      for (let y = 0; y < cellHeight; y += 1) {
        const row = cell.data.subarray(y * cellWidth * 3, (y + 1) * cellWidth * 3);
        grid.data.set(row, ((top + y) * width + left) * 3);
      }
      await context.checkpoint(index + 1, images.length);
    }
    return [grid];
  },
};
