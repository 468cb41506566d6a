// Package wiki reads Wikipedia, in English.
//
// An article is long, so it never goes into a conversation whole: wiki_full saves it
// under ~/.cache/marvin/wiki as plain text, and wiki_grep finds lines in what is
// saved. An article that was asked for by another title (a redirect) is a file under
// its own title and a link under the other, so that both find it.
package wiki
