// Package box keeps file tools inside one directory.
//
// A path is resolved one component at a time: symbolic links are followed here,
// by their text, and only inside the directory; then the result is walked again
// from an open handle without following anything, comparing the identity of every
// directory. What is checked is therefore what is used, also when somebody swaps a
// directory for a link in between. os.Root stands below all of it.
//
// Names are matched byte for byte. A file whose name only looks like the one that
// was asked for (another Unicode form, another case, a no-break space) is named in
// the error and never opened.
//
// Changes go through a [Batch]: all files of a batch change or none. A new content
// is written beside the file and renamed over it, so nobody ever sees half a file.
// Two consequences are on purpose: a symbolic link stays a link, because its target
// is what gets replaced; a hard link is cut off, because the other name, which may
// be outside of the directory, keeps the old content. Mode and (for root) owner are
// kept; access lists and extended attributes are not.
//
// Decided against: refusing other file systems below the directory. Overlay and
// btrfs give files of one project several device numbers. Only views of the kernel
// (/proc, /sys) are refused.
package box
