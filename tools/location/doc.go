// Package location finds the user's position, and searches for places nearby.
//
// The position comes from the system's location service, otherwise from the network address; it is
// cached for an hour. Places come from Google if there is a key or a gcloud login, otherwise from
// OpenStreetMap.
//
// The position does not come from gdbus or where-am-i: a GeoClue client belongs to one connection,
// so each run of these programs would create a new client.
package location
