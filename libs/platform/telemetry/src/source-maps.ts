/**
 * For `node`, ahead of a process: stacks name lines of our sources. The flag `--enable-source-maps` would also read the maps of
 * every package that is loaded, which takes a tenth of a start.
 */
export const SOURCE_MAPS = `--import=${new URL('./map-own-sources.js', import.meta.url).href}`;
