// Package memory keeps facts that the user wants Marvin to remember.
//
// A fact is one line of a Markdown file, with its papers in a comment at the end:
//
//   - My dog is called Rex. <!-- 2026-11-28 · conversation abc/3 -->
//
// There is one file for the user, one for each profile and one for each repository, all below
// DATA/memory. The user may edit them: a line without papers is a fact too, and lines that are
// no facts, such as headings, stay as they are. A fact that another one replaces goes to the
// file of the same name in history/, which no model reads.
//
// [Store] changes the files, [Proposals] keeps facts that wait for a yes, [Choose] selects what
// fits a conversation, and [Eraser] takes words out of every other file.
//
// There is no index and no database: ten thousand facts are 1 MB, and to read and rank them takes 3 ms
// of CPU on a busy machine with two cores (BenchmarkTenThousandFacts).
package memory
