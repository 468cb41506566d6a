// Package wiki reads Wikipedia, in English.
//
// An article is too long for a conversation: wiki_full saves it under ~/.cache/marvin/wiki as plain
// text, and wiki_grep finds lines in saved articles. An article requested by another title (a
// redirect) is a file under its own title and a link under the other, so that both find it.
package wiki
