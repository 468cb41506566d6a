// Package downloads saves files and videos from the web in the user's Downloads.
//
// Nothing that is there already is ever overwritten, and nothing is written outside
// the directory, whatever a server or a model says how a file should be called. yt-dlp
// loads through tools/internal/relay, so that it reaches public addresses only.
package downloads
