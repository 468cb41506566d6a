// Package music looks up artists, releases and recordings in MusicBrainz.
//
// MusicBrainz takes one request a second from an address and turns away clients
// that do not say who they are; both are seen to in tools/internal/web. What it
// calls a release is one edition of an album, a recording is a song as it was
// recorded: https://musicbrainz.org/doc/MusicBrainz_API
package music
