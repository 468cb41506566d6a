// Package media finds films, series and video games.
//
// OMDb and RAWG require a key, which users get for free. Without a key, the package searches the
// web instead, and the result names the missing key.
package media
