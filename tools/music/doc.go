// Package music looks up artists, releases and recordings in MusicBrainz.
//
// MusicBrainz accepts one request a second per address and refuses clients without identification;
// tools/internal/web handles both. A release is one edition of an album, a recording is a recorded
// song: https://musicbrainz.org/doc/MusicBrainz_API
package music
