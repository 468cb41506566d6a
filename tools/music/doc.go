// Package music looks up artists, releases and recordings in MusicBrainz.
//
// MusicBrainz accepts one request per second per IP address, and refuses clients that do not
// identify themselves. The package tools/internal/web limits the rate and identifies Marvin. In
// MusicBrainz, a release is one edition of an album, and a recording is a recorded song:
// https://musicbrainz.org/doc/MusicBrainz_API
package music
