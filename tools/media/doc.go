// Package media finds films, series and video games.
//
// OMDb and RAWG require a key, which is free. Without a key, searches use the web instead, and the
// result names the missing key.
package media
