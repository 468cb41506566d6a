// Package box confines file tools to one directory.
//
// A path is resolved one component at a time. This package follows symbolic links itself. It reads
// the target of each link, which must be inside the directory. Then it opens each directory of the
// resulting path without following links, and checks the identity of the directory. So no file can
// be exchanged between the check and the use, even if another process replaces a directory with a
// link. All access goes through os.Root.
//
// Names are matched byte for byte. A file whose name only looks like the requested one (another
// Unicode form, another case, a no-break space) is named in the error and never opened.
//
// Changes are made by a [Batch]: all files of a batch change or none. New content is written to a
// temporary file in the same directory. Then the temporary file is renamed, so no reader sees an
// incomplete file. This replacement has two intended effects on links. A symbolic link stays a
// link, and its target is replaced. If a file has several names (hard links), only the requested
// name gets the new content; the other names, which may be outside the directory, keep the old
// content. Mode, extended attributes and (for root) the owner are kept.
//
// Other file systems below the directory are allowed, because overlay and btrfs give files of one
// project several device numbers. Only the file systems in which the kernel shows its data (/proc,
// /sys) are refused.
package box
