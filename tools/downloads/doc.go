// Package downloads saves files and videos from the web in the user's Downloads directory.
//
// It never overwrites an existing file and never writes outside the directory, whatever file name a
// server or a model gives. yt-dlp connects through tools/internal/relay, so it can contact only
// public addresses.
package downloads
