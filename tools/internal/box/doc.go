// Package box keeps file tools inside one directory.
//
// A path is resolved one component at a time: symbolic links are followed here, by their text, and
// only inside the directory; then the result is walked again from an open handle without following
// links, comparing the identity of every directory. So the checked file is the used one, even if a
// directory is swapped for a link in between. os.Root is below all of it.
//
// Names are matched byte for byte. A file whose name only looks like the requested one (another
// Unicode form, another case, a no-break space) is named in the error and never opened.
//
// Changes go through a [Batch]: all files of a batch change or none. New content is written beside
// the file and renamed over it, so no reader sees half a file. Two consequences are intended: a
// symbolic link stays a link, because its target is replaced; a hard link is separated, because the
// other name, which may be outside the directory, keeps the old content. Mode and (for root) owner
// are kept; access lists and extended attributes are not.
//
// Decided against: refusing other file systems below the directory. Overlay and btrfs give files of
// one project several device numbers. Only views of the kernel (/proc, /sys) are refused.
package box
