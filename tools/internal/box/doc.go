// Package box confines file tools to one directory.
//
// The package resolves a path one component at a time and follows symbolic links itself. The target
// of each link must be inside the directory. The package then opens the directories of the resolved
// path one by one. If another process has replaced one of these directories with a link, the
// package returns an error. All access goes through os.Root.
//
// Names are matched byte for byte. If only a similar name exists (another Unicode form, another
// case, a no-break space), the error suggests that name, and the file is not opened.
//
// Changes are made by a [Batch], which changes all of its files or none. New content is written to
// a temporary file, which is then renamed, so no reader sees an incomplete file. If the requested
// name is a symbolic link, the link stays, and the file to which it points gets the new content. If
// a file has several names (hard links), only the requested name gets the new content. The other
// names, which may be outside the directory, keep the old content. The mode and extended attributes
// are kept, except for privileges such as setuid and capabilities. The owner is kept only if Marvin
// runs as root.
//
// Other file systems below the directory are allowed, because on overlay and btrfs the files of one
// project can have several device numbers. Only file systems that show kernel data (/proc, /sys)
// are refused.
package box
