// Package wiki reads the English Wikipedia.
//
// An article is too long for a conversation. So wiki_full saves it as plain text below
// ~/.cache/marvin/wiki, and wiki_grep searches the saved articles. The file is named after the
// article's own title. If the requested title is a redirect, a link with the requested title points
// to the file.
package wiki
