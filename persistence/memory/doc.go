// Package memory stores facts that the user wants Marvin to remember.
//
// A fact is one line of a Markdown file, with its date and source in a comment at the end:
//
//   - My dog is called Rex. <!-- 2026-11-28 · conversation abc/3 -->
//
// A line without such a comment is a fact too, and other lines, such as headings, stay unchanged.
// DATA/memory contains one file for the user, one file per profile and one file per repository. The
// user may edit these files. When a new fact replaces an old one, the old one moves to the file of
// the same name in history/, which no model reads.
//
// [Store] changes the files. [Proposals] contains facts that wait for the user's consent. [Choose]
// selects the facts for a conversation. [Eraser] removes forgotten facts from all other files.
//
// There is no index and no database, because ten thousand facts are only 1 MB, and reading and
// ranking them takes 3 ms of CPU time on a busy machine with two cores (BenchmarkTenThousandFacts).
package memory
