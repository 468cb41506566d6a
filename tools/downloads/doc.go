// Package downloads saves web files and videos to ~/Downloads.
//
// Whatever file name a server or a model gives, no existing file is overwritten, and every file is
// saved in ~/Downloads. The proxy tools/internal/relay limits yt-dlp to public addresses.
package downloads
