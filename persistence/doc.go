// Package persistence keeps the user's files whole and readable by older Marvins.
//
// Everything is under ~/.config/marvin (see [Home]); formats are those of
// the Python and TypeScript Marvins, whose files testdata holds. Directories are
// made 0700 and files 0600 whatever the umask, on the first write and not before:
// a missing document reads as its zero value.
//
// A change of a document is lock, re-read, change, write beside, rename. Whoever
// dies in between leaves the old file or the new one. Keys that this Marvin does
// not know are carried along. Unreadable is not empty: a damaged file is set aside
// under another name and reported once a new one is begun.
//
// Measured on ext4 in a virtual machine (2 cores): write and rename 0.13 ms, with
// fsync of file and directory 0.39 ms; on a disk that really waits, 5 to 30 ms.
// So what a user would miss is synced, file and name. Of usage.json, which is written
// while the shell already waits for the prompt, only the content is: after a power cut
// it may be some cents behind, and never empty. It also goes through a journal, see
// package spending. What was typed (history, draft) waits for no disk: a power cut may take
// the last lines.
//
// Each kind of document has a package of its own below. What they share is in internal/store.
//
// Tests let every call of the kernel fail once and cut the power at each: see
// torture_linux_test.go and disktest.
//
// Places, bookmarks and chat logs are lists of objects: an entry that is not changed
// keeps its bytes, and of one that is, its other keys (sjson edits in place).
// preferences.yaml is the user's own text: the YAML library only says where a value
// stands, the text is cut there, and the result is read again before it replaces the
// file. It is never set aside: what cannot be read is for its author to mend.
//
// Decided against: a generic store interface (one file per document, named as the
// document), an embedded database (nothing here is searched), and repairing JSON
// in place (what looks like a repair may be the loss).
//
// This is the only room that knows YAML. It imports nothing of ours.
package persistence
