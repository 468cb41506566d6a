// Package location finds the user's position, and searches for places nearby.
//
// The position comes from the system's location service or, if that fails, is estimated from the
// network address. It is cached for an hour. Places come from Google if there is a key or a gcloud
// login, and from OpenStreetMap otherwise.
//
// The package talks to GeoClue directly instead of running gdbus or where-am-i. A GeoClue client
// belongs to one connection, so each run of these programs would create a new client.
package location
