// Package persistence stores the user's files. A file is never partly written, and earlier versions
// of Marvin can read it.
//
// Everything is under ~/.config/marvin (see [Home]). The formats are those of the Python and
// TypeScript versions of Marvin, and testdata contains files from both. Directories have the mode
// 0700 and files the mode 0600, regardless of the umask. Directories and files are created on the
// first write. A document that does not exist yet is read as its zero value.
//
// A change locks the document, reads it again, changes it, writes a new file beside it and renames
// that file. A crash in between leaves either the old or the new file. Unknown keys are kept. An
// unreadable file is not treated as empty. Marvin keeps it under another name, starts a new file
// and tells the user.
//
// Replacing a file takes 0.13 ms on ext4 in a virtual machine (2 cores). With fsync of both the
// file and its directory, a replacement takes 0.39 ms. On a disk that really waits until the data
// is written, a replacement with fsync takes 5 to 30 ms. So Marvin syncs both the file and its
// directory only if users would miss the data. usage.json is written while the user waits for the
// shell prompt, so Marvin syncs the file but not the directory. After a power cut, usage.json may
// lack the last cents, but it is never empty. usage.json also has a journal; see package spending.
// The input history and the draft are not synced, so a power cut may lose the last lines.
//
// Each kind of document has its own package in a subdirectory. The shared code is in
// internal/store.
//
// The tests make every system call fail once, and cut the power at each call. See
// torture_linux_test.go and package disktest.
//
// Places, bookmarks and chat logs are lists of objects. Marvin edits only the changed entries (with
// sjson), and only the changed keys in them. All other entries and keys keep their bytes.
// preferences.yaml is the user's own text, so the YAML library only locates a value, and Marvin
// replaces that value's bytes. Marvin parses the new text before it writes the file. An unreadable
// preferences.yaml is never renamed, because the user must correct it.
//
// Rejected alternatives: a generic store interface (one file per document, named after the
// document, is simpler), an embedded database (nothing here is searched), and repairing JSON in
// place (an apparent repair may lose data).
//
// Only this package and the packages below it read and write YAML. None of these packages imports
// any other package of Marvin.
package persistence
