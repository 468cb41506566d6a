// Package media finds films, series and video games.
//
// OMDb and RAWG answer with a key of the user's own, which is free. Without one a web
// search is what there is, and the answer says which key would give more.
package media
