// Package memory stores facts that the user wants Marvin to remember.
//
// A fact is one line of a Markdown file. A comment in the line contains the fact's date and source:
//
//   - My dog is called Rex. <!-- 2026-11-28 · conversation abc/3 -->
//
// A fact needs no comment. Lines that are not facts, such as headings, stay unchanged. DATA/memory
// contains one file for the user, one file per profile and one file per repository. The user can
// edit these files. A replaced fact moves to the file of the same name in history/, which no model
// reads.
//
// [Store] changes the files. [Proposals] manages facts that the user has not approved. [Choose]
// selects the facts for a conversation. [Store.Sweep] removes forgotten facts from Marvin's other
// files.
//
// There is no index and no database, because ten thousand facts are only 1 MB. Reading and ranking
// them takes 3 ms of CPU time on a busy machine with two cores (BenchmarkTenThousandFacts).
package memory
