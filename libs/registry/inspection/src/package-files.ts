/** The files of a package that extraction and scan read, by path; a single top folder is cut. */
export interface PackageFiles {
  /** Text by path in the package, as `nodes/image.py`; in the order of the archive. */
  readonly texts: ReadonlyMap<string, string>;
  /** Every path of the archive that is a file, in its order, as the archive spells it. */
  readonly paths: readonly string[];
  /** The top folder that was cut, as `pack-main/`; absent if there was none. */
  readonly top?: string;
  /** What was left out because a bound was reached, as a sentence; absent if all was read. */
  readonly cut?: string;
  /** The files that were left out because a bound was reached; paths in the package. */
  readonly unread?: readonly string[];
  /** The entries that do not unpack to what they declare; `path` as the archive spells it, `problem` a sentence. */
  readonly damage?: readonly { readonly path: string; readonly problem: string }[];
}
