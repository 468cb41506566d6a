// Package wiki reads the English Wikipedia.
//
// An article is too long for a conversation, so wiki_full saves it as plain text in
// ~/.cache/marvin/wiki, and wiki_grep searches the saved articles. Each file is named after the
// article's own title. If the requested title is a redirect, a symbolic link with the requested
// title points to the file.
package wiki
