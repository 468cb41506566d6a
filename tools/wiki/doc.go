// Package wiki reads the English Wikipedia.
//
// An article is too long for a conversation. So wiki_full saves it as plain text below
// ~/.cache/marvin/wiki, and wiki_grep searches the saved articles. If the requested title is a
// redirect, the file has the article's own title, and a link has the requested title, so both
// titles work.
package wiki
